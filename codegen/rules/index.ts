/** The lint rules, in the order in which they are documented. */
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [];
