/** The package's README: what it is, an example of everything, and the table of its exports. */
import { posix } from 'node:path';
import type { ContractModel, ExtensionModel } from '../../model/contract.ts';
import type { Templates } from '../../templates.ts';
import { escapeText, printCode, printLink } from '../docs/escape.ts';
import { printParagraphs } from '../docs/prose.ts';
import { printSharedTypes } from '../docs/shared-types.ts';
import { printTable } from '../docs/table.ts';
import { cardExample, extensionExample, toolExample } from './examples.ts';
import type { PackageExport } from './exports.ts';
import { listExports } from './exports.ts';
import { sdkExample } from './sdk-example.ts';

/** Renders `README.md`. */
export function printReadme(model: ContractModel, templates: Templates): string {
  const { config, extensions, tools, card } = model;
  return templates.render('package/readme.md.hbs', {
    name: config.name,
    description: printParagraphs(config.description),
    license: escapeText(config.license),
    pages: printLink('documentation', `${config.baseUrl}/`),
    extensions: extensions.length === 0 ? [] : [extensions.map((each) => describe(model, each))],
    sets: model.sets.map(({ folder, set }) => ({
      title: escapeText(set.title),
      description: printParagraphs(set.description),
      module: printCode(`${config.name}/${folder}`),
    })),
    code: model.project.code.map((module) => ({
      title: escapeText(module.title),
      description: printParagraphs(module.description),
      module: printCode(`${config.name}/${module.name}`),
      examples: module.example === undefined ? [] : [module.example.text],
    })),
    sdk: printSdk(model),
    tools: tools.length === 0 ? [] : [{ code: toolExample(model) }],
    card: card === undefined ? [] : [{ code: cardExample(model), options: CARD_OPTIONS }],
    exports: printExports(model),
  });
}

/** Nothing for a contract that has no A2A structure to translate. */
function printSdk(model: ContractModel): readonly object[] {
  const code = sdkExample(model);
  const hasData = model.extensions.some(({ entries }) => entries.length > 0);
  return code === '' && !hasData ? [] : [{ code: code === '' ? [] : [code] }];
}

/** What `createAgentCard` takes beside the address: the members of `AgentCardOptions`. */
const CARD_OPTIONS = [
  'name',
  'description',
  'version',
  'provider',
  'documentationUrl',
  'iconUrl',
  'skills',
  'streaming',
  'pushNotifications',
  'extendedAgentCard',
  'securitySchemes',
  'securityRequirements',
]
  .map(printCode)
  .join(', ');

function describe(model: ContractModel, extension: ExtensionModel): object {
  const { manifest, version } = extension;
  const shared = printSharedTypes(extension);
  return {
    title: escapeText(`${manifest.title}, ${version}`),
    uri: printCode(manifest.uri),
    purpose: printParagraphs(manifest.purpose),
    code: extensionExample(model, extension),
    shared: shared === '' ? [] : [shared],
  };
}

/** Modules of one folder share a row, which lists their names. */
function printExports(model: ContractModel): string {
  const groups = new Map<string, PackageExport[]>();
  for (const each of listExports(model)) {
    groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  }
  const about = describeGroups(model);
  const rows = [...groups].flatMap(([group, list]) => {
    const [first] = list;
    const words = about.get(group);
    if (first === undefined || words === undefined) return [];
    if (!group.endsWith('/*')) return [[printCode(importOf(model, first.path)), words]];
    const stems = list.map(({ path }) => printCode(posix.basename(path))).join(', ');
    return [[printCode(importOf(model, `${posix.dirname(first.path)}/*`)), `${words}: ${stems}`]];
  });
  return printTable(['Import', 'What it holds'], rows);
}

function importOf({ config }: ContractModel, path: string): string {
  return config.name + path.slice(1);
}

function describeGroups({
  extensions,
  sets,
  tools,
  project,
}: ContractModel): ReadonlyMap<string, string> {
  const own = extensions.flatMap(({ folder, id, manifest }): [string, string][] => {
    const title = escapeText(manifest.title);
    return [
      [
        folder,
        `${title}: URI, card entry, accessors, types, parsers (${printCode(id)} in the index)`,
      ],
      [`${folder}/*`, 'Types and parser of one schema'],
    ];
  });
  const listed = sets.flatMap(({ folder, set }): [string, string][] => [
    [folder, `${escapeText(set.title)}: types and parsers`],
    [`${folder}/*`, 'Types and parser of one schema'],
  ]);
  const written = project.code.map(({ name, title }): [string, string] => [
    `code/${name}`,
    `${escapeText(title)} (also in the index)`,
  ]);
  const apart = [
    ...sets.map(({ set }) => escapeText(set.title)),
    ...(tools.length === 0 ? [] : ['the tools in the forms of model APIs']),
  ];
  const except = apart.length === 0 ? '' : `, except ${listWords(apart)}`;
  return new Map([['index', `All code below${except}`], ...own, ...listed, ...written, ...OTHERS]);
}

function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

const OTHERS: readonly [string, string][] = [
  ['tools', 'Names, definitions, and parsers of calls'],
  ['openai', 'The tools for OpenAI: Chat Completions and Responses, plain and strict'],
  ['anthropic', 'The tools for Anthropic: Messages, plain and strict'],
  ['mcp', 'The tools for a server of the Model Context Protocol'],
  ['tools/*', 'Types and parser of one tool'],
  ['agent-card', 'The card as data, its types, and a function that makes it for an address'],
  ['agent-card.json', 'The card for the default address'],
  ['result', 'What parsers return, and its errors'],
  ['schemas', 'The JSON Schemas; each file stands alone'],
];
