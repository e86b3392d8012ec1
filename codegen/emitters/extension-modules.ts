/** The index module of each extension version: names, card entry, accessors, everything re-exported. */
import { posix } from 'node:path';
import type { Json, JsonObject } from '../json.ts';
import type { DataLocation } from '../manifest.ts';
import type { EntryModel, ExtensionModel } from '../model/contract.ts';
import { typeName } from '../model/modules.ts';
import { toConstantName, toTypeName } from '../names.ts';
import type { EmittedFile, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import { printComment, printJson, printLiteralType, printValue } from './print-type.ts';

/** Emits `extensions/<name>/<version>/index.js` and its declarations. */
export const extensionModules: Emitter = {
  name: 'extension modules',
  emit: (model) => model.extensions.flatMap(emitIndex),
};

/** An extension as the agent card lists it; `required` is left out when false, as ProtoJSON does. */
export function cardEntry(extension: ExtensionModel): JsonObject {
  const params = paramsOf(extension);
  return { ...cardMembers(extension), ...(params === undefined ? {} : { params }) };
}

function cardMembers({ manifest: { uri, description, required } }: ExtensionModel): JsonObject {
  return { uri, description, ...(required === true ? { required } : {}) };
}

/** The params on the card; undefined for an extension that has none. */
function paramsOf({ entries }: ExtensionModel): Json | undefined {
  return entries.find(({ entry }) => entry.in.includes('card.params'))?.value;
}

/** One export of an index module: its code and its declaration. */
interface Export {
  readonly code: string;
  readonly types: string;
  /** What it needs of the runtime's access module, and of the modules of the schemas. */
  readonly helpers: readonly string[];
  readonly helperTypes: readonly string[];
}

function emitIndex(extension: ExtensionModel): readonly EmittedFile[] {
  const path = `generated/${extension.folder}/index`;
  const head = banner(extension.source.file.path);
  const exports = [
    ...constants(extension),
    ...extension.entries.flatMap((entry) => accessors(extension, entry)),
  ];
  const [access, freeze, result] = ['access.js', 'freeze.js', 'result.js'].map((file) =>
    printJson(posix.join(posix.relative(extension.folder, 'runtime'), file)),
  );
  const helpers = unique(exports.flatMap((each) => each.helpers));
  const helperTypes = unique(exports.flatMap((each) => each.helperTypes));
  const modules = extension.modules.map((module) => `./${posix.basename(module.path)}.js`);
  const reexports = modules.map((module) => `export * from ${printJson(module)};\n`).join('');
  const code = [
    head +
      (helpers.length > 0 ? `import { ${helpers.join(', ')} } from ${access};\n` : '') +
      (paramsOf(extension) === undefined ? '' : `import { freezeDeep } from ${freeze};\n`) +
      importParsers(extension),
    reexports,
    ...exports.map((each) => each.code),
  ];
  const types = [
    head +
      `import type { ${unique(['AgentExtension', ...helperTypes]).join(', ')} } from ${access};\n` +
      `import type { Result } from ${result};\n` +
      importTypes(extension),
    reexports,
    ...exports.map((each) => each.types),
  ];
  return [
    { path: `${path}.js`, text: code.join('\n') },
    { path: `${path}.d.ts`, text: types.join('\n') },
  ];
}

function constants(extension: ExtensionModel): readonly Export[] {
  const { manifest } = extension;
  const about = `The URI that activates the ${manifest.title} extension, ${extension.version}.`;
  const list = [constant('URI', manifest.uri, about)];
  if (manifest.mediaType !== undefined) {
    const parts = extension.entries.some(
      ({ entry }) =>
        entry.in.includes('part') && (entry.mediaType ?? manifest.mediaType) === manifest.mediaType,
    );
    const text = parts
      ? 'The media type of its data parts.'
      : "The media type of the extension's data where it travels alone. No data part has it.";
    list.push(constant('MEDIA_TYPE', manifest.mediaType, text));
  }
  for (const { entry } of extension.entries) {
    const name = toConstantName(entry.name);
    if (entry.mediaType !== undefined && entry.mediaType !== manifest.mediaType) {
      const text = `The media type of ${entry.name}: ${entry.description}`;
      list.push(constant(`${name}_MEDIA_TYPE`, entry.mediaType, text));
    }
    if (entry.key !== undefined) {
      const text = `The metadata key of ${entry.name}: ${entry.description}`;
      list.push(constant(`${name}_KEY`, entry.key, text));
    }
  }
  return [...list, ...cardConstants(extension)];
}

/** `PARAMS`, where the card carries some, and `AGENT_EXTENSION`. */
function cardConstants(extension: ExtensionModel): readonly Export[] {
  const params = paramsOf(extension);
  const about = printComment('The extension as an agent card lists it; frozen.');
  const typed =
    params === undefined
      ? '{ readonly uri: typeof URI }'
      : '{\n  readonly uri: typeof URI;\n  readonly params: typeof PARAMS;\n}';
  const entry = printValue(cardMembers(extension), 0);
  const held = params === undefined ? entry : withMember(entry, 'params: PARAMS');
  const card = {
    code: `export const AGENT_EXTENSION = /* @__PURE__ */ Object.freeze(${held});\n`,
    types: `${about}export declare const AGENT_EXTENSION: AgentExtension & ${typed};\n`,
    helpers: [],
    helperTypes: [],
  };
  if (params === undefined) return [card];
  const words = printComment(
    "The extension's params on this agent's card, as they stand there; frozen at every depth.",
  );
  const value = {
    code: `export const PARAMS = /* @__PURE__ */ freezeDeep(${printValue(params, 0)});\n`,
    types: `${words}export declare const PARAMS: ${printLiteralType(params)};\n`,
    helpers: [],
    helperTypes: [],
  };
  return [value, card];
}

/** An object's source with one more member at its end. */
function withMember(source: string, member: string): string {
  return source.includes('\n')
    ? `${source.slice(0, -1)}  ${member},\n}`
    : `${source.slice(0, -2)}, ${member} }`;
}

function constant(name: string, value: string, about: string): Export {
  const comment = printComment(about);
  return {
    code: `export const ${name} = ${printJson(value)};\n`,
    types: `${comment}export declare const ${name}: ${printJson(value)};\n`,
    helpers: [],
    helperTypes: [],
  };
}

function accessors(extension: ExtensionModel, model: EntryModel): readonly Export[] {
  const { entry } = model;
  if (entry.in.includes('card.params')) return [cardAccessor(model)];
  if (entry.in.includes('part')) return partAccessors(extension, model);
  return metadataAccessors(model);
}

const PLACES: Readonly<Record<DataLocation, string>> = {
  'task.metadata': "a task's metadata",
  'status-update.metadata': "a status update's metadata",
  'artifact-update.metadata': "an artifact update's metadata",
  'message.metadata': "a message's metadata",
  'part.metadata': "a part's metadata",
  'artifact.metadata': "an artifact's metadata",
  'request.metadata': "a request's metadata",
  part: 'a part',
  'card.params': 'an agent card',
};

/** The agent holds whole values; what a client may write as well may leave its defaults out. */
function writtenType({ entry, declaration }: EntryModel): string {
  return typeName(declaration, entry.by === 'agent' ? 'output' : 'input');
}

function metadataAccessors(model: EntryModel): readonly Export[] {
  const { entry, declaration } = model;
  const name = toTypeName(entry.name);
  const key = `${toConstantName(entry.name)}_KEY`;
  const where = entry.in.map((place) => PLACES[place]).join(' or ');
  const read = printComment(
    `Reads from ${where}: ${entry.description} Undefined when there is none.`,
  );
  const write = printComment(
    `A copy of the carrier with this in its metadata, unchecked: ${entry.description}`,
  );
  return [
    {
      code:
        `export function read${name}(carrier) {\n` +
        `  const value = getMetadata(carrier, ${key});\n` +
        `  return value === undefined ? undefined : parse${declaration.name}(value);\n}\n`,
      types:
        `${read}export declare function read${name}<T extends object>(\n` +
        `  carrier: (T & MetadataCarrier) | null | undefined,\n): Result<${declaration.name}> | undefined;\n`,
      helpers: ['getMetadata'],
      helperTypes: ['MetadataCarrier'],
    },
    {
      code: `export function write${name}(carrier, value) {\n  return withMetadata(carrier, ${key}, value);\n}\n`,
      types:
        `${write}export declare function write${name}<T extends object>(\n  carrier: T & MetadataCarrier,\n` +
        `  value: ${writtenType(model)},\n): T & { metadata: { ${printJson(entry.key ?? '')}: ${writtenType(model)} } };\n`,
      helpers: ['withMetadata'],
      helperTypes: ['MetadataCarrier'],
    },
  ];
}

function partAccessors(extension: ExtensionModel, model: EntryModel): readonly Export[] {
  const { entry, declaration } = model;
  const name = toTypeName(entry.name);
  const own = entry.mediaType !== undefined && entry.mediaType !== extension.manifest.mediaType;
  const mediaType = own ? `${toConstantName(entry.name)}_MEDIA_TYPE` : 'MEDIA_TYPE';
  const is = printComment(`Whether a part has the media type of this: ${entry.description}`);
  const read = printComment(
    `Reads a data part: ${entry.description} Undefined when the part has another media type.`,
  );
  const create = printComment(`A data part that holds this, unchecked: ${entry.description}`);
  return [
    {
      code: `export function is${name}Part(part) {\n  return hasMediaType(part, ${mediaType});\n}\n`,
      types: `${is}export declare function is${name}Part(part: Part | null | undefined): boolean;\n`,
      helpers: ['hasMediaType'],
      helperTypes: ['Part'],
    },
    {
      code:
        `export function read${name}(part) {\n` +
        `  return hasMediaType(part, ${mediaType}) ? parse${declaration.name}(part.data) : undefined;\n}\n`,
      types: `${read}export declare function read${name}(\n  part: Part | null | undefined,\n): Result<${declaration.name}> | undefined;\n`,
      helpers: ['hasMediaType'],
      helperTypes: ['Part'],
    },
    {
      code: `export function create${name}Part(data) {\n  return { data, mediaType: ${mediaType} };\n}\n`,
      types: `${create}export declare function create${name}Part(\n  data: ${typeName(declaration, 'input')},\n): DataPart<${typeName(declaration, 'input')}>;\n`,
      helpers: [],
      helperTypes: ['DataPart'],
    },
  ];
}

function cardAccessor({ entry, declaration }: EntryModel): Export {
  const name = toTypeName(entry.name);
  const read = printComment(
    `Reads the extension's params from an agent card: ${entry.description} Undefined when the card does not list the extension, or lists it without params.`,
  );
  return {
    code:
      `export function read${name}(card) {\n` +
      `  const params = getExtensionParams(card, URI);\n` +
      `  return params === undefined ? undefined : parse${declaration.name}(params);\n}\n`,
    types: `${read}export declare function read${name}(\n  card: ExtensionCarrier | null | undefined,\n): Result<${declaration.name}> | undefined;\n`,
    helpers: ['getExtensionParams'],
    helperTypes: ['ExtensionCarrier'],
  };
}

function importParsers(extension: ExtensionModel): string {
  return importsOf(extension, 'import', ({ declaration }) => [`parse${declaration.name}`]);
}

function importTypes(extension: ExtensionModel): string {
  return importsOf(extension, 'import type', (entry) =>
    unique([
      entry.declaration.name,
      writtenType(entry),
      ...(entry.entry.in.includes('part') ? [typeName(entry.declaration, 'input')] : []),
    ]),
  );
}

function importsOf(
  extension: ExtensionModel,
  keyword: string,
  namesOf: (entry: EntryModel) => readonly string[],
): string {
  const byModule = new Map<string, Set<string>>();
  for (const entry of extension.entries) {
    const path = posix.relative(extension.folder, entry.module.path);
    const from = path.startsWith('.') ? path : `./${path}`;
    const names = byModule.get(from) ?? new Set<string>();
    for (const name of namesOf(entry)) names.add(name);
    byModule.set(from, names);
  }
  return [...byModule]
    .map(
      ([from, names]) =>
        `${keyword} { ${[...names].sort().join(', ')} } from ${printJson(`${from}.js`)};\n`,
    )
    .join('');
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
