/** Lint: every rule over every schema, all findings at once. */
import { RULES } from './rules/index.ts';
import type { RuleContext } from './rules/rule.ts';
import type { Stage } from './source.ts';

/** Runs all rules; the value is the context itself when none found anything. */
export function lintProject(context: RuleContext): Stage<RuleContext> {
  const diagnostics = RULES.flatMap((rule) => rule.check(context));
  return diagnostics.length > 0
    ? { value: undefined, diagnostics }
    : { value: context, diagnostics: [] };
}
