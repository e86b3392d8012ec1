/** The command line: arguments, progress, exit codes. */
import { join } from 'node:path';
import { renderProject } from './pipeline.ts';
import { readProject } from './read.ts';
import { createTemplates, readRuntime } from './templates.ts';
import { MANIFEST_PATH, applyChanges, compareFiles, renderManifest } from './write.ts';
import { formatDiagnostic } from './diagnostics.ts';

export async function main(argv: readonly string[], { home, root }: { home: string; root: string }) {
  const start = performance.now();
  const input = readProject(root);
  const rendered = renderProject(input, { templates: createTemplates(join(home, 'templates')), runtime: readRuntime(join(home, 'codegen/runtime')) });
  if (rendered.files === undefined) {
    for (const d of rendered.diagnostics) console.error(formatDiagnostic(d));
    return { exitCode: 2 };
  }
  const files = new Map(rendered.files);
  files.set(MANIFEST_PATH, renderManifest(rendered.files));
  const changes = compareFiles(root, files);
  for (const c of changes) console.log(c.kind, c.path, c.line ?? '');
  if (!argv.includes('--check')) applyChanges(root, files, changes);
  console.log(`${String(files.size)} files, ${String(changes.length)} changed, ${(performance.now() - start).toFixed(0)} ms`);
  return { exitCode: 0 };
}
