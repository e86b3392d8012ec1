/** One run over a project: read, render, compare, and write where that was asked for. */
import { performance } from 'node:perf_hooks';
import type { Diagnostic } from './diagnostics.ts';
import type { EmitContext } from './emitters/emitter.ts';
import type { ContractModel } from './model/contract.ts';
import { checkProject, renderProject } from './pipeline.ts';
import { readProject } from './read.ts';
import type { Change } from './write.ts';
import { MANIFEST_PATH, applyChanges, compareFiles, isObstacle, renderManifest } from './write.ts';

/** What a run found. */
export interface Outcome {
  /** `refused`: nothing can be written without a loss, or but outside the project. */
  readonly status: 'clean' | 'changed' | 'refused' | 'broken';
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: readonly Change[];
  readonly files: readonly string[];
  readonly model: ContractModel | undefined;
  /** Absolute paths of input files outside the project's own folders: schemas of packages. */
  readonly inputs: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}

/** Lints a project. */
export function runLint(root: string): Outcome {
  const start = performance.now();
  const diagnostics = checkProject(readProject(root));
  const status = diagnostics.length > 0 ? 'broken' : 'clean';
  return { ...NOTHING, status, diagnostics, duration: performance.now() - start };
}

/** Renders a project and compares; with `write`, also brings the disk up to date, unless that is refused. */
export function runProject(root: string, context: EmitContext, write: boolean): Outcome {
  const start = performance.now();
  const input = readProject(root);
  const rendered = renderProject(input, context);
  const duration = (): number => performance.now() - start;
  if (rendered.files === undefined) {
    const { diagnostics } = rendered;
    return { ...NOTHING, status: 'broken', diagnostics, duration: duration() };
  }
  const files = new Map(rendered.files);
  files.set(MANIFEST_PATH, renderManifest(rendered.files));
  const changes = compareFiles(root, files);
  const refused = changes.some(isObstacle);
  if (write && !refused) applyChanges(root, files, changes);
  return {
    status: refused ? 'refused' : changes.length > 0 ? 'changed' : 'clean',
    diagnostics: [],
    changes,
    files: [...files.keys()],
    model: rendered.model,
    inputs: input.outside,
    duration: duration(),
  };
}

const NOTHING = { diagnostics: [], changes: [], files: [], model: undefined, inputs: [] };
