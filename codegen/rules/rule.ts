/** What a lint rule is: an id, a purpose, a check. */
import type { Diagnostic } from '../diagnostics.ts';
import type { Project } from '../load.ts';
import type { Resolution } from '../resolution.ts';

/** A parsed project whose references all resolve. */
export interface RuleContext {
  readonly project: Project;
  readonly resolution: Resolution;
}

/** One rule. `purpose` is the sentence that `docs/` prints: what it asks for, and why. */
export interface Rule {
  readonly id: string;
  readonly purpose: string;
  readonly check: (context: RuleContext) => readonly Diagnostic[];
}
