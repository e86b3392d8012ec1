/** A module a schema document: types, enum values, the verdict, parsing. */
import { posix } from 'node:path';
import { isObject } from '../json.ts';
import { flatten } from '../flatten.ts';
import type { FlatSchema } from '../flatten.ts';
import type { ContractModel, ModuleModel } from '../model/contract.ts';
import type { Declaration } from '../model/modules.ts';
import { typeName } from '../model/modules.ts';
import { toValueName } from '../names.ts';
import { foreignReferences, printDeclarations } from './declarations.ts';
import type { EmittedFile, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import type { EnumValues } from './enum-values.ts';
import { nameEnums } from './enum-values.ts';
import { emitFiller } from './filler.ts';
import type { PrintOptions } from './print-type.ts';
import { printComment, printJson, printValue } from './print-type.ts';
import { compileValidator } from './validator/index.ts';

/** Emits `<stem>.js`, `<stem>.d.ts` and, for each schema that is checked, a validator. */
export const schemaModules: Emitter = {
  name: 'schema modules',
  emit: (model) => {
    const enums = nameEnums(model.modules);
    return model.modules.flatMap((module) => emitModule(model, module, enums.get(module) ?? []));
  },
};

/** A declaration whose values are checked, and the schema by which they are. */
interface Door {
  readonly declaration: Declaration;
  readonly flat: FlatSchema;
  /** What the module's validator, schema and parser are called after: '' for the root. */
  readonly stem: string;
  /** Whether input has a parser of its own: the schema speaks of `readOnly` members. */
  readonly input: boolean;
}

function emitModule(
  model: ContractModel,
  module: ModuleModel,
  enums: readonly EnumValues[],
): readonly EmittedFile[] {
  const path = `generated/${module.path}`;
  const doors = module.doors.map((declaration): Door => {
    const flat = flatten(model.types.resolution, declaration.at);
    const stem = declaration === module.root ? '' : toValueName(declaration.name);
    return { declaration, flat, stem, input: hasReadOnly(flat) };
  });
  return [
    { path: `${path}.js`, text: moduleCode(model, module, doors, enums) },
    { path: `${path}.d.ts`, text: moduleTypes(model, module, doors, enums) },
    ...doors.flatMap((door) => emitValidator(module, door)),
  ];
}

function emitValidator(module: ModuleModel, door: Door): readonly EmittedFile[] {
  const checksPath = runtimePath(module, 'checks.js');
  const code = compileValidator(door.flat, { checksPath, name: 'validate' });
  const about = `Whether a value is a valid ${door.declaration.name}. Defaults are not filled in.`;
  const types = `${printComment(about)}export declare function validate(value: unknown): boolean;\n`;
  const head = banner(sourceOf(module));
  const path = posix.join('generated', posix.dirname(module.path), validatorName(module, door));
  return [
    { path: `${path}.js`, text: head + code },
    { path: `${path}.d.ts`, text: `${head}\n${types}` },
  ];
}

function validatorName(module: ModuleModel, { stem }: Door): string {
  return [posix.basename(module.path), ...(stem === '' ? [] : [stem]), 'validator'].join('.');
}

function hasReadOnly(flat: FlatSchema): boolean {
  return isObject(flat) && JSON.stringify(flat).includes('"readOnly":true');
}

function moduleCode(
  model: ContractModel,
  module: ModuleModel,
  doors: readonly Door[],
  enums: readonly EnumValues[],
): string {
  const values = enums.map(
    ({ name, source }) => `export const ${name} = /* @__PURE__ */ Object.freeze(${source});\n`,
  );
  const { resolution, fillPlan } = model.types;
  const filler = emitFiller(
    resolution,
    fillPlan,
    doors.map(({ declaration }) => declaration.at),
  );
  const parts = [
    banner(sourceOf(module)) + importRuntime(module, doors, filler.helpers),
    ...values,
    ...doors.flatMap(doorCode),
    filler.code,
    ...doors.flatMap((door) => parserCode(door, filler.functions.get(door.declaration.at))),
  ].filter((part) => part !== '');
  return (parts.length > 1 ? parts : [...parts, 'export {};\n']).join('\n');
}

function importRuntime(
  module: ModuleModel,
  doors: readonly Door[],
  helpers: readonly string[],
): string {
  const from = (names: string, path: string): string =>
    `import { ${names} } from ${printJson(path)};\n`;
  const fill = helpers.length > 0 ? from(helpers.join(', '), runtimePath(module, 'fill.js')) : '';
  const input = doors.some((door) => door.input);
  // None is called as a type could make `isX` or `parseX` be: a title may be Input or Object.
  const names = input ? 'checkInput, parse' : 'parse';
  const parse = doors.length > 0 ? from(names, runtimePath(module, 'parse.js')) : '';
  const validators = doors.map((door) => {
    const name = named(door, 'validate');
    const path = `./${validatorName(module, door)}.js`;
    return from(name === 'validate' ? name : `validate as ${name}`, path);
  });
  return fill + parse + validators.join('');
}

/** `validate` and `schema` for the root, `validateStep` and `schemaStep` for what is inside. */
function named({ stem }: Door, word: string): string {
  return stem === '' ? word : word + stem.charAt(0).toUpperCase() + stem.slice(1);
}

function doorCode(door: Door): readonly string[] {
  const { name } = door.declaration;
  const parser = named(door, 'parser');
  const parseInput = `export function parse${name}Input(value) {\n  return checkInput(${parser}, value);\n}\n`;
  return [
    `export function is${name}(value) {\n  return ${named(door, 'validate')}(value);\n}\n`,
    `export function parse${name}(value) {\n  return parse(${parser}, value);\n}\n`,
    ...(door.input ? [parseInput] : []),
  ];
}

function parserCode(door: Door, fill = 'undefined'): readonly string[] {
  const [schema, validate] = [named(door, 'schema'), named(door, 'validate')];
  const members = [
    validate === 'validate' ? validate : `validate: ${validate}`,
    schema === 'schema' ? schema : `schema: ${schema}`,
    `fill: ${fill}`,
  ];
  return [
    `const ${schema} = ${printValue(door.flat, 0)};\n`,
    `const ${named(door, 'parser')} = { ${members.join(', ')} };\n`,
  ];
}

function moduleTypes(
  model: ContractModel,
  module: ModuleModel,
  doors: readonly Door[],
  enums: readonly EnumValues[],
): string {
  const { imports, nameOf } = importTypes(model, module);
  const values = enums.map(
    ({ name, about, source }) =>
      `${printComment(about)}export declare const ${name}: readonly ${source};\n`,
  );
  const result = `import type { Result } from ${printJson(runtimePath(module, 'result.js'))};\n`;
  const parts = [
    banner(sourceOf(module)) + (doors.length > 0 ? result : '') + imports,
    printDeclarations(model.types, module, { nameOf, onlyNamed: isInSet(model, module) }),
    ...values,
    ...doors.flatMap(doorTypes),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** Readers of a protocol's structures ignore what they do not know; an index signature would offer it. */
function isInSet({ sets }: ContractModel, module: ModuleModel): boolean {
  return sets.some(({ modules }) => modules.includes(module));
}

function doorTypes({ declaration, input }: Door): readonly string[] {
  const { name } = declaration;
  const sent = typeName(declaration, 'input');
  const guard =
    sent === name
      ? 'Whether a value is valid.'
      : `Whether a value is valid. Its defaults are not filled in, so it is known as {@link ${sent}}.`;
  const parse = `Checks a value and fills in defaults; errors say what is wrong and where. The value itself is never changed.`;
  const refuse = `Like {@link parse${name}}, and refuses members that only the server may set.`;
  const declare = (about: string, signature: string): string =>
    `${printComment(about)}export declare function ${signature};\n`;
  return [
    declare(guard, `is${name}(value: unknown): value is ${sent}`),
    declare(parse, `parse${name}(value: unknown): Result<${name}>`),
    ...(input ? [declare(refuse, `parse${name}Input(value: unknown): Result<${name}>`)] : []),
  ];
}

/** The imports for types of other modules; a name that is taken here is imported under another. */
function importTypes(
  model: ContractModel,
  module: ModuleModel,
): { readonly imports: string; readonly nameOf: PrintOptions['nameOf'] } {
  const local = new Set(
    module.declarations.flatMap((each) => [each.name, typeName(each, 'input')]),
  );
  const renamed = new Map<string, string>();
  const imports: string[] = [];
  for (const [document, places] of foreignReferences(module)) {
    const other = model.moduleOf(document);
    if (other === undefined) continue;
    const names = new Set<string>();
    for (const [at, modes] of places) {
      const declaration = model.types.declarationOf(at);
      if (declaration === undefined) continue;
      for (const mode of modes) names.add(typeName(declaration, mode));
    }
    const prefix = other.root?.name ?? '';
    const list = [...names].sort().map((name) => {
      if (!local.has(name)) return name;
      renamed.set(`${document.uri} ${name}`, `${prefix}${name}`);
      return `${name} as ${prefix}${name}`;
    });
    const path = posix.relative(posix.dirname(module.path), other.path);
    const from = path.startsWith('.') ? path : `./${path}`;
    imports.push(`import type { ${list.join(', ')} } from ${printJson(`${from}.js`)};\n`);
  }
  return {
    imports: imports.join(''),
    nameOf: (at, mode) => {
      const declaration = model.types.declarationOf(at);
      if (declaration === undefined) return 'unknown';
      const name = typeName(declaration, mode);
      return renamed.get(`${at.document.uri} ${name}`) ?? name;
    },
  };
}

/** The schema file that a module comes from, from the project's root. */
function sourceOf(module: ModuleModel): string {
  return module.document.file.path.replace(/^node_modules\//, 'package ');
}

/** The way from a module to a file of the runtime. */
function runtimePath(module: ModuleModel, file: string): string {
  return posix.join(posix.relative(posix.dirname(module.path), 'runtime'), file);
}
