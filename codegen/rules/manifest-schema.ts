/** MANIFEST_SCHEMA: what a manifest names exists, and what it says holds together. */
import { posix } from 'node:path';
import type { Diagnostic } from '../diagnostics.ts';
import { diagnose } from '../diagnostics.ts';
import { isObject, joinPointer } from '../json.ts';
import type { ExtensionSource } from '../load.ts';
import type { DataEntry } from '../manifest.ts';
import { entryValue, findEntrySchema, valueFile } from '../model/contract.ts';
import { nearestName } from '../names.ts';
import { schemaFiles } from '../resolve.ts';
import { explainValue } from './explain-value.ts';
import { isJudgeable } from './judgeable.ts';
import type { Rule, RuleContext } from './rule.ts';

/** What each manifest says on its own is the load stage's to check (MANIFEST_SHAPE). */
export const manifestSchema: Rule = {
  id: 'MANIFEST_SCHEMA',
  purpose:
    'Every schema and value file that a manifest names exists, every part has a media type, what an agent card carries is valid, and names, keys and URIs are unique.',
  check: (context) =>
    context.project.extensions.flatMap((extension) => [
      ...checkUri(context, extension),
      ...extension.manifest.data.flatMap((entry, index) => [
        ...checkSchema(context, extension, entry, index),
        ...checkUnique(extension, entry, index),
        ...checkKey(context, extension, entry, index),
        ...checkMediaType(extension, entry, index),
        ...checkParams(context, extension, entry, index),
      ]),
      ...checkPackages(context, extension),
    ]),
};

function fault(
  { file }: ExtensionSource,
  path: readonly (string | number)[],
  message: string,
  hint: string,
  key = false,
): Diagnostic {
  return diagnose(manifestSchema.id, file, joinPointer('', ...path), message, { key, hint });
}

function checkUri({ project }: RuleContext, extension: ExtensionSource): readonly Diagnostic[] {
  const { uri } = extension.manifest;
  const first = project.extensions.find(({ manifest }) => manifest.uri === uri);
  if (first === undefined || first === extension) return [];
  const message = `${first.file.path} has this uri already`;
  const hint = 'A uri names one version of one extension: give this one its own.';
  return [fault(extension, ['uri'], message, hint)];
}

function checkSchema(
  { resolution }: RuleContext,
  extension: ExtensionSource,
  entry: DataEntry,
  index: number,
): readonly Diagnostic[] {
  const at = findEntrySchema(resolution, extension, entry);
  const path = ['data', index, 'schema'];
  if (at !== undefined) {
    if (typeof at.schema === 'boolean' || isObject(at.schema)) return [];
    const message = `"${entry.schema}" leads to something that is no schema`;
    return [fault(extension, path, message, 'Name an object, true or false.')];
  }
  const [name = '', fragment] = entry.schema.split('#');
  const folder = posix.dirname(extension.file.path);
  const files = schemaFiles(extension).map((file) => posix.relative(folder, file.path));
  const uris = extension.packages.map(({ uri }) => uri);
  if (fragment !== undefined && [...files, ...uris].includes(name)) {
    const message = `${name} has nothing at #${fragment}`;
    const hint = 'A fragment is a JSON pointer, such as #/$defs/Step.';
    return [fault(extension, path, message, hint)];
  }
  const near = nearestName(name, [...files, ...uris]);
  const known = files.length > 0 ? files.join(', ') : 'none';
  const hint =
    near === undefined
      ? `The schemas of this folder: ${known}. Those of packages go by the URIs in "packages".`
      : `Did you mean "${near}"?`;
  return [fault(extension, path, `there is no schema "${name}"`, hint)];
}

function checkUnique(
  extension: ExtensionSource,
  entry: DataEntry,
  index: number,
): readonly Diagnostic[] {
  const before = extension.manifest.data.slice(0, index);
  if (before.some(({ name }) => name === entry.name)) {
    const message = `a piece of data before this one is called "${entry.name}" too`;
    const hint = 'The name is that of its accessors: give each piece of data its own.';
    return [fault(extension, ['data', index, 'name'], message, hint)];
  }
  const twin = before.find(({ key }) => key !== undefined && key === entry.key);
  const shared = twin?.in.find((place) => entry.in.includes(place));
  const message = `"${twin?.name ?? ''}" has this key in ${shared ?? ''} already`;
  const hint = 'One would overwrite the other: give each its own key.';
  return shared === undefined ? [] : [fault(extension, ['data', index, 'key'], message, hint)];
}

/** Versions of one extension may share a key: the later takes over what the earlier has written. */
function checkKey(
  { project }: RuleContext,
  extension: ExtensionSource,
  { key, in: places }: DataEntry,
  index: number,
): readonly Diagnostic[] {
  const before = project.extensions.slice(0, project.extensions.indexOf(extension));
  const twin = before.find(
    ({ name, manifest }) =>
      name !== extension.name &&
      manifest.data.some(
        (other) => other.key === key && other.in.some((place) => places.includes(place)),
      ),
  );
  if (key === undefined || twin === undefined) return [];
  const message = `${twin.file.path} has this key there already`;
  const hint = 'One extension would overwrite the data of the other: give each its own key.';
  return [fault(extension, ['data', index, 'key'], message, hint)];
}

function checkMediaType(
  extension: ExtensionSource,
  entry: DataEntry,
  index: number,
): readonly Diagnostic[] {
  const mediaType = entry.mediaType ?? extension.manifest.mediaType;
  if (!entry.in.includes('part') || mediaType !== undefined) return [];
  const message = `"${entry.name}" stands in a part, and nothing says by which media type`;
  const hint = 'Add "mediaType" here, or to the manifest as a whole.';
  return [fault(extension, ['data', index, 'in'], message, hint)];
}

function checkParams(
  context: RuleContext,
  extension: ExtensionSource,
  entry: DataEntry,
  index: number,
): readonly Diagnostic[] {
  if (!entry.in.includes('card.params')) return [];
  const { data } = extension.manifest;
  const first = data.findIndex((other) => other.in.includes('card.params'));
  if (first !== index) {
    const message = `"${data[first]?.name ?? ''}" is on the card already`;
    const hint = 'A card carries one params object an extension: describe both in one schema.';
    return [fault(extension, ['data', index, 'in'], message, hint)];
  }
  const file = valueFile(extension, entry);
  if (entry.valueFile !== undefined && file === undefined) {
    const message = `there is no file "${entry.valueFile}" beside this manifest`;
    const folder = posix.dirname(extension.file.path);
    const files = extension.files.map(({ path }) => posix.relative(folder, path));
    const hint = `The files of this folder: ${files.length > 0 ? files.join(', ') : 'none'}.`;
    return [fault(extension, ['data', index, 'valueFile'], message, hint)];
  }
  const value = entryValue(extension, entry);
  if (value === undefined) {
    const message = `"${entry.name}" is on the card, and nothing says with what value`;
    const hint = 'Add "value", or "valueFile" with the name of a JSON file in this folder.';
    return [fault(extension, ['data', index], message, hint)];
  }
  const at = findEntrySchema(context.resolution, extension, entry);
  if (at === undefined || !isJudgeable(context, at)) return [];
  const pointer = file === undefined ? joinPointer('/data', index, 'value') : '';
  const placed = { file: file ?? extension.file, pointer, value, subject: 'the value on the card' };
  const hint = `Its schema is "${entry.schema}": mend the value, or change what the schema takes.`;
  return explainValue(manifestSchema.id, context.resolution, at, placed, hint);
}

function checkPackages(
  { project }: RuleContext,
  extension: ExtensionSource,
): readonly Diagnostic[] {
  const all = project.extensions.flatMap(({ file, manifest }) =>
    (manifest.packages ?? []).map((source) => ({ file, source })),
  );
  return (extension.manifest.packages ?? []).flatMap((source, number) => {
    const { schemas, amend = [] } = source;
    const twice = Object.keys(schemas).flatMap((uri) => {
      const first = all.find((each) => Object.hasOwn(each.source.schemas, uri));
      if (first === undefined || first.source === source) return [];
      const message = `${first.file.path} lists this URI already, with ${first.source.name}`;
      const hint = 'List it once: references from every extension find it.';
      return [fault(extension, ['packages', number, 'schemas', uri], message, hint, true)];
    });
    const astray = amend.flatMap(({ schema }, index) => {
      if (Object.hasOwn(schemas, schema)) return [];
      const near = nearestName(schema, Object.keys(schemas));
      const hint =
        near === undefined ? 'Write one of the URIs in "schemas".' : `Did you mean "${near}"?`;
      const message = `"${schema}" is none of the schemas of this package, so nothing is amended`;
      return [fault(extension, ['packages', number, 'amend', index, 'schema'], message, hint)];
    });
    return [...twice, ...astray];
  });
}
