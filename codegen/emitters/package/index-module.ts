/** The package's index: every extension under a name of its own, the tools, the card, the results. */
import type { ContractModel, ExtensionModel } from '../../model/contract.ts';
import type { EmittedFile } from '../emitter.ts';
import { banner } from '../emitter.ts';
import { printComment, printJson } from '../print-type.ts';

/** `index.js` and its declarations. */
export function printIndex(model: ContractModel): readonly EmittedFile[] {
  const head = banner('schemas');
  return [
    { path: 'generated/index.js', text: `${head}${indexCode(model)}` },
    { path: 'generated/index.d.ts', text: `${head}${indexTypes(model)}` },
  ];
}

function indexCode(model: ContractModel): string {
  const { extensions } = model;
  const imports = extensions.map(
    (extension) =>
      `import { AGENT_EXTENSION as ${extension.id}Extension } from ${indexPath(extension)};\n`,
  );
  const list = extensions.map(({ id }) => `  ${id}Extension,\n`).join('');
  const uris = extensions.map(({ id }) => `  ${id}: ${id}Extension.uri,\n`).join('');
  return [
    imports.join(''),
    extensions.map(reexport).join(''),
    rest(model),
    `export { ContractError, formatErrors, unwrap } from "./runtime/result.js";\n`,
    `export const EXTENSIONS = /* @__PURE__ */ Object.freeze([\n${list}]);\n`,
    `export const EXTENSION_URIS = /* @__PURE__ */ Object.freeze({\n${uris}});\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function indexTypes(model: ContractModel): string {
  const { extensions } = model;
  const list = extensions.map(
    (extension) => `  typeof import(${indexPath(extension)}).AGENT_EXTENSION,\n`,
  );
  const uris = extensions.map(
    (extension) => `  readonly ${extension.id}: typeof import(${indexPath(extension)}).URI;\n`,
  );
  return [
    '',
    ...extensions.map(
      (extension) =>
        printComment(`The ${extension.manifest.title} extension, ${extension.version}.`) +
        reexport(extension),
    ),
    rest(model),
    `export type { Result, ValidationError } from "./runtime/result.js";\n` +
      `export { ContractError, formatErrors, unwrap } from "./runtime/result.js";\n` +
      `export type {\n  AgentExtension,\n  DataPart,\n  ExtensionCarrier,\n  MetadataCarrier,\n  Part,\n} from "./runtime/access.js";\n`,
    `/** The extensions as the agent card lists them, in its order; frozen. */\n` +
      `export declare const EXTENSIONS: readonly [\n${list.join('')}];\n`,
    `/** The URI of each extension version, by the name that this index gives its module; frozen. */\n` +
      `export declare const EXTENSION_URIS: {\n${uris.join('')}};\n`,
    `/** What this index calls an extension version: the key of a table that must have them all. */\n` +
      `export type ExtensionId = keyof typeof EXTENSION_URIS;\n`,
    `/** The URI of an extension of this contract. */\n` +
      `export type ExtensionUri = (typeof EXTENSIONS)[number]["uri"];\n`,
  ]
    .filter((part, index) => index === 0 || part !== '')
    .join('\n');
}

function reexport(extension: ExtensionModel): string {
  return `export * as ${extension.id} from ${indexPath(extension)};\n`;
}

function rest({ tools, card, project }: ContractModel): string {
  return (
    (tools.length === 0 ? '' : `export * from "./tools/index.js";\n`) +
    (card === undefined ? '' : `export * from "./agent-card.js";\n`) +
    project.code.map(({ name }) => `export * from ${printJson(`./${name}.js`)};\n`).join('')
  );
}

function indexPath({ folder }: ExtensionModel): string {
  return printJson(`./${folder}/index.js`);
}
