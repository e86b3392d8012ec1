/** The stages in their order: load, resolve, lint, model, emit, format. Pure from input to output. */
import type { Diagnostic } from './diagnostics.ts';
import { sortDiagnostics } from './diagnostics.ts';
import type { EmitContext } from './emitters/emitter.ts';
import { EMITTERS } from './emitters/index.ts';
import { runtimeFiles } from './emitters/runtime-files.ts';
import { formatFiles } from './format.ts';
import { lintProject } from './lint.ts';
import { loadProject } from './load.ts';
import type { ContractModel } from './model/contract.ts';
import { buildContract } from './model/contract.ts';
import type { ProjectFiles } from './read.ts';
import { resolveProject } from './resolve.ts';

/** Everything a project generates, by path from its root; or all that is wrong with it. */
export type Rendered =
  | {
      readonly files: ReadonlyMap<string, string>;
      readonly model: ContractModel;
      readonly diagnostics: readonly [];
    }
  | { readonly files: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Lints a project: the stages up to the rules. */
export function checkProject(input: ProjectFiles): readonly Diagnostic[] {
  const { diagnostics } = lint(input);
  return sortDiagnostics(diagnostics);
}

/** Renders all files of a project in memory. Nothing is rendered when anything is wrong. */
export function renderProject(input: ProjectFiles, context: EmitContext): Rendered {
  const linted = lint(input);
  if (linted.value === undefined) {
    return { files: undefined, diagnostics: sortDiagnostics(linted.diagnostics) };
  }
  const { project, resolution } = linted.value;
  const model = buildContract(project, resolution);
  const emitted = EMITTERS.flatMap((emitter) => emitter.emit(model, context));
  const files = formatFiles([...emitted, ...runtimeFiles(emitted, context.runtime)]);
  return { files, model, diagnostics: [] };
}

function lint(input: ProjectFiles): ReturnType<typeof lintProject> {
  const loaded = loadProject(input);
  if (loaded.value === undefined) return loaded;
  const resolved = resolveProject(loaded.value);
  if (resolved.value === undefined) return resolved;
  return lintProject({ project: loaded.value, resolution: resolved.value });
}
