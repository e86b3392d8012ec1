/** A module a schema document: types, enum values, the verdict, parsing. */
import { posix } from 'node:path';
import { isObject } from '../json.ts';
import { flatten } from '../flatten.ts';
import type { FlatSchema } from '../flatten.ts';
import type { ContractModel, ModuleModel } from '../model/contract.ts';
import type { Declaration } from '../model/modules.ts';
import { typeName } from '../model/modules.ts';
import type { TypeNode } from '../model/type-node.ts';
import { toConstantName } from '../names.ts';
import { foreignReferences, printDeclarations } from './declarations.ts';
import type { EmittedFile, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import { emitFiller } from './filler.ts';
import { printComment, printJson, printValue } from './print-type.ts';
import { compileValidator } from './validator/index.ts';

/** Emits `<stem>.js`, `<stem>.d.ts` and, where there is something to check, `<stem>.validator.*`. */
export const schemaModules: Emitter = {
  name: 'schema modules',
  emit: (model) => model.modules.flatMap((module) => emitModule(model, module)),
};

function emitModule(model: ContractModel, module: ModuleModel): readonly EmittedFile[] {
  const path = `generated/${module.path}`;
  const { root } = module;
  const flat = root === undefined ? true : flatten(model.types.resolution, root.at);
  const files = [
    { path: `${path}.js`, text: moduleCode(model, module, root, flat) },
    { path: `${path}.d.ts`, text: moduleTypes(model, module, root, flat) },
  ];
  if (root === undefined) return files;
  const checksPath = runtimePath(module, 'checks.js');
  const code = compileValidator(flat, { checksPath, name: 'validate' });
  const types = `${printComment(`Whether a value is a valid ${root.name}. Defaults are not filled in.`)}export declare function validate(value: unknown): boolean;\n`;
  const head = banner(sourceOf(module));
  return [
    ...files,
    { path: `${path}.validator.js`, text: head + code },
    { path: `${path}.validator.d.ts`, text: `${head}\n${types}` },
  ];
}

/** Whether a flat schema speaks of `readOnly` members, so that input has a parser of its own. */
export function hasReadOnly(flat: FlatSchema): boolean {
  return isObject(flat) && JSON.stringify(flat).includes('"readOnly":true');
}

function moduleCode(
  model: ContractModel,
  module: ModuleModel,
  root: Declaration | undefined,
  flat: FlatSchema,
): string {
  const head = banner(sourceOf(module));
  const values = enumDeclarations(module).map(
    ({ name, node }) =>
      `export const ${toConstantName(name)}_VALUES = /* @__PURE__ */ Object.freeze(${valuesOf(node)});\n`,
  );
  if (root === undefined)
    return [head, ...(values.length > 0 ? values : ['export {};\n'])].join('\n');
  const { resolution, fillPlan } = model.types;
  const filler = emitFiller(resolution, fillPlan, root.at);
  const input = hasReadOnly(flat);
  const imports = importRuntime(module, filler.helpers, input);
  const schema = `const schema = ${printValue(flat, 0)};\n`;
  const parser = `const parser = { validate, schema, fill: ${filler.root ?? 'undefined'} };\n`;
  return [head + imports, ...values, ...doorCode(root, input), filler.code, schema, parser]
    .filter((part) => part !== '')
    .join('\n');
}

function importRuntime(module: ModuleModel, helpers: readonly string[], input: boolean): string {
  const from = (names: string, path: string): string =>
    `import { ${names} } from ${printJson(path)};\n`;
  const fill = helpers.length > 0 ? from(helpers.join(', '), runtimePath(module, 'fill.js')) : '';
  const parse = from(input ? 'parse, parseInput' : 'parse', runtimePath(module, 'parse.js'));
  return fill + parse + from('validate', `./${posix.basename(module.path)}.validator.js`);
}

function doorCode({ name }: Declaration, input: boolean): readonly string[] {
  const parseInput = `export function parse${name}Input(value) {\n  return parseInput(parser, value);\n}\n`;
  return [
    `export function is${name}(value) {\n  return validate(value);\n}\n`,
    `export function parse${name}(value) {\n  return parse(parser, value);\n}\n`,
    ...(input ? [parseInput] : []),
  ];
}

function moduleTypes(
  model: ContractModel,
  module: ModuleModel,
  root: Declaration | undefined,
  flat: FlatSchema,
): string {
  const { imports, nameOf } = importTypes(model, module);
  const values = enumDeclarations(module).map(
    ({ name, node }) =>
      `/** The values of {@link ${name}}, frozen. */\nexport declare const ${toConstantName(name)}_VALUES: readonly ${valuesOf(node)};\n`,
  );
  const result =
    root === undefined
      ? ''
      : `import type { Result } from ${printJson(runtimePath(module, 'result.js'))};\n`;
  const parts = [
    banner(sourceOf(module)) + result + imports,
    printDeclarations(model.types, module, nameOf),
    ...values,
    ...(root === undefined ? [] : doorTypes(root, hasReadOnly(flat))),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function doorTypes(root: Declaration, input: boolean): readonly string[] {
  const { name } = root;
  const sent = typeName(root, 'input');
  const guard = `Whether a value is valid. Nothing is filled in, so that what it is known to be is what may be sent.`;
  const parse = `Checks a value and fills in defaults; errors say what is wrong and where. The value itself is never changed.`;
  const refuse = `Like {@link parse${name}}, and refuses members that only the server may set.`;
  return [
    `${printComment(guard)}export declare function is${name}(value: unknown): value is ${sent};\n`,
    `${printComment(parse)}export declare function parse${name}(value: unknown): Result<${name}>;\n`,
    ...(input
      ? [
          `${printComment(refuse)}export declare function parse${name}Input(value: unknown): Result<${name}>;\n`,
        ]
      : []),
  ];
}

/** The imports for types of other modules; a name that is taken here is imported under another. */
function importTypes(
  model: ContractModel,
  module: ModuleModel,
): { readonly imports: string; readonly nameOf: Parameters<typeof printDeclarations>[2] } {
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

type EnumNode = Extract<TypeNode, { kind: 'union' | 'literal' }>;

/** Declarations that are a choice of literals and nothing else. */
function enumDeclarations(
  module: ModuleModel,
): readonly { readonly name: string; readonly node: EnumNode }[] {
  return module.declarations.flatMap(
    ({ name, output: node }): { name: string; node: EnumNode }[] => {
      if (node.kind === 'literal') return [{ name, node }];
      const literals =
        node.kind === 'union' && node.members.every(({ kind }) => kind === 'literal');
      return literals ? [{ name, node }] : [];
    },
  );
}

function valuesOf(node: EnumNode): string {
  const members = node.kind === 'union' ? node.members : [node];
  const literals = members.flatMap((member) => (member.kind === 'literal' ? [member.value] : []));
  return `[${literals.map(printJson).join(', ')}]`;
}

/** The schema file that a module comes from, from the project's root. */
export function sourceOf(module: ModuleModel): string {
  return module.document.file.path.replace(/^node_modules\//, 'package ');
}

/** The way from a module to a file of the runtime. */
export function runtimePath(module: ModuleModel, file: string): string {
  return posix.join(posix.relative(posix.dirname(module.path), 'runtime'), file);
}
