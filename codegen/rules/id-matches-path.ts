/** ID_MATCHES_PATH: a schema's `$id` is the URL at which its file is published. */
import type { Diagnostic } from '../diagnostics.ts';
import { diagnose } from '../diagnostics.ts';
import { getOwn, isObject } from '../json.ts';
import type { Project } from '../load.ts';
import { publishedUri, schemaFiles } from '../resolve.ts';
import type { SourceFile } from '../source.ts';
import type { Rule } from './rule.ts';

/** Who follows an `$id` finds the schema, and relative references mean the same on disk and on the web. */
export const idMatchesPath: Rule = {
  id: 'ID_MATCHES_PATH',
  purpose:
    'The `$id` of every schema file is the URL at which the file is published, so that whoever follows it finds the schema. Schemas of packages keep their own.',
  check: ({ project }) =>
    schemasOf(project).flatMap((file) =>
      checkFile(file, publishedUri(project.config.baseUrl, file.path)),
    ),
};

/** The schema files whose `$id` is not the URL they are published at. */
export function findAstray(project: Project): readonly SourceFile[] {
  return schemasOf(project).filter(
    (file) => checkFile(file, publishedUri(project.config.baseUrl, file.path)).length > 0,
  );
}

function schemasOf(project: Project): readonly SourceFile[] {
  const listed = project.sets.flatMap(({ files }) => files);
  return [...new Set([...project.extensions.flatMap(schemaFiles), ...listed, ...project.meta])];
}

function checkFile(file: SourceFile, expected: string): readonly Diagnostic[] {
  const root = file.json.value;
  const id = isObject(root) ? getOwn(root, '$id') : undefined;
  if (id === expected) return [];
  if (id === undefined) {
    const hint = `Add "$id": "${expected}".`;
    return [diagnose(idMatchesPath.id, file, '', 'this schema has no $id', { hint })];
  }
  // META_SCHEMA says what is wrong with an $id that is no text.
  if (typeof id !== 'string') return [];
  const message = `$id is ${JSON.stringify(id)}, but the file is published at ${expected}`;
  const hint = 'Write that URL, or move the file to where the $id says it is.';
  return [diagnose(idMatchesPath.id, file, '/$id', message, { hint })];
}
