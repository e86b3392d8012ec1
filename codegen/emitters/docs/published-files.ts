/** The files that other programs fetch: each at the path that its `$id` names. */
import type { ContractModel } from '../../model/contract.ts';
import { publishedPath } from '../../resolve.ts';
import type { SourceFile } from '../../source.ts';
import type { EmittedFile } from '../emitter.ts';

/** Schemas, manifests and tool files as they are in the project. Those of packages stay there. */
export function publishFiles(model: ContractModel, folder: string): readonly EmittedFile[] {
  const { extensions, sets, tools, meta } = model.project;
  const files = new Set<SourceFile>([
    ...extensions.flatMap((extension) => [extension.file, ...extension.files]),
    ...sets.flatMap(({ files: own }) => own),
    ...tools.map(({ file }) => file),
    ...meta,
  ]);
  return [...files].map(({ path, text }) => ({ path: `${folder}/${publishedPath(path)}`, text }));
}
