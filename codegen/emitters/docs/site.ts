/** The pages of the docs: where each one is, what it documents, and how one links to another. */
import { posix } from 'node:path';
import type {
  ContractModel,
  ExtensionModel,
  ModuleModel,
  SetModel,
  ToolModel,
} from '../../model/contract.ts';
import type { Declaration } from '../../model/modules.ts';
import { getOwn, isObject, splitPointer } from '../../json.ts';
import type { SchemaAt } from '../../resolution.ts';
import { publishedPath } from '../../resolve.ts';
import type { Headings } from './headings.ts';
import { createHeadings } from './headings.ts';

/** A definition with a section of its own. */
interface Section {
  readonly declaration: Declaration;
  readonly heading: string;
  readonly anchor: string;
}

/** A schema file with all its sections. */
export interface SchemaPart {
  readonly module: ModuleModel;
  readonly sections: readonly Section[];
}

/** Definitions of a package that share one table: those that stand under one keyword of its file. */
export interface DefinitionGroup {
  readonly module: ModuleModel;
  readonly heading: string;
  readonly anchor: string;
  readonly declarations: readonly Declaration[];
}

/** The page of an extension version. */
export interface ExtensionPage {
  readonly extension: ExtensionModel;
  readonly path: string;
  /** The extension's own schemas, then those of packages that its data is made of. */
  readonly parts: readonly SchemaPart[];
  readonly groups: readonly DefinitionGroup[];
}

/** The page of a schema set. */
export interface SetPage {
  readonly model: SetModel;
  readonly path: string;
}

/** The page of a tool. */
export interface ToolPage {
  readonly tool: ToolModel;
  readonly path: string;
  readonly input: SchemaPart;
  readonly output: SchemaPart | undefined;
}

/** All pages, and the way from a schema to the section that documents it. */
export interface Site {
  /** The folder that is published at the contract's base URL. */
  readonly folder: string;
  readonly extensions: readonly ExtensionPage[];
  readonly sets: readonly SetPage[];
  readonly tools: readonly ToolPage[];
  /** A link from one page to the section of a schema; undefined when no page documents it. */
  hrefTo(from: string, at: SchemaAt): string | undefined;
}

/** Lays the pages out. */
export function createSite(model: ContractModel): Site {
  const folder = `docs/${model.config.baseUrl.split('/').at(-1) ?? ''}`;
  const extensions = model.extensions.map((extension) => layOutExtension(folder, extension));
  const sets = model.sets.map((set) => ({
    model: set,
    path: `${folder}/${publishedPath(`schemas/${set.set.name}/index.md`)}`,
  }));
  const tools = model.tools.map((tool) => layOutTool(folder, model, tool));
  const places = new Map<SchemaAt, { readonly page: string; readonly anchor: string }>();
  const parts = [
    ...extensions.flatMap(({ path, parts: all }) => all.map((part) => ({ path, part }))),
    ...tools.flatMap(({ path, input, output }) =>
      [input, ...(output === undefined ? [] : [output])].map((part) => ({ path, part })),
    ),
  ];
  for (const { path, part } of parts) {
    for (const { declaration, anchor } of part.sections)
      places.set(declaration.at, { page: path, anchor });
  }
  for (const { path, groups } of extensions) {
    for (const { declarations, anchor } of groups) {
      for (const { at } of declarations) places.set(at, { page: path, anchor });
    }
  }
  return {
    folder,
    extensions,
    sets,
    tools,
    hrefTo(from, at) {
      const place = places.get(at);
      if (place === undefined) return undefined;
      return `${place.page === from ? '' : linkTo(from, place.page)}#${place.anchor}`;
    },
  };
}

/** The relative link from one file of the docs to another. */
export function linkTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

/** The headings that the templates of extension and tool pages hold themselves. */
const FIXED_HEADINGS = {
  extension: [
    'Where the data lives',
    'Examples',
    'Definitions',
    'Schemas from packages',
    'Rules',
    'On the agent card',
  ],
  tool: ['Input', 'Example calls', 'Output', 'Errors'],
} as const;

/** The heading of the example of a piece of data. */
export function exampleHeading(name: string): string {
  return `Example: ${name}`;
}

function layOutExtension(folder: string, extension: ExtensionModel): ExtensionPage {
  const path = `${folder}/ext/${extension.name}/${extension.version}/index.md`;
  const examples = extension.entries.map(({ entry }) => exampleHeading(entry.name));
  const headings = createHeadings([...FIXED_HEADINGS.extension, ...examples]);
  const named = new Set(extension.entries.map(({ module }) => module));
  const first = [...named].filter((module) => extension.modules.includes(module));
  const modules = [...new Set([...first, ...extension.modules])];
  const isOwn = ({ document }: ModuleModel): boolean => document.origin !== 'package';
  const full = [
    ...modules.filter(isOwn),
    ...modules.filter((module) => !isOwn(module) && named.has(module)),
  ];
  const parts = full.map((module) => layOutModule(module, headings));
  const others = modules.filter((module) => !full.includes(module));
  return {
    extension,
    path,
    parts,
    groups: others.flatMap((module) => groupDefinitions(module, headings)),
  };
}

function layOutTool(folder: string, model: ContractModel, tool: ToolModel): ToolPage {
  const headings = createHeadings([tool.name, ...FIXED_HEADINGS.tool]);
  const output = model.modules.find(
    ({ document }) => document.file === tool.source.file && document.prefix === '/output_schema',
  );
  return {
    tool,
    path: `${folder}/tools/${tool.name}.md`,
    input: layOutModule(tool.module, headings, 'Input'),
    output: output && layOutModule(output, headings, 'Output'),
  };
}

/** `rootHeading`: the heading that the template gives the root. */
function layOutModule(module: ModuleModel, headings: Headings, rootHeading?: string): SchemaPart {
  const file = posix.basename(module.document.file.path);
  const sections = module.declarations.map((declaration): Section => {
    const isRoot = declaration === module.root && rootHeading !== undefined;
    return isRoot
      ? { declaration, heading: rootHeading, anchor: rootHeading.toLowerCase() }
      : { declaration, ...headings.claim(declaration.name, file) };
  });
  return { module, sections };
}

function groupDefinitions(module: ModuleModel, headings: Headings): readonly DefinitionGroup[] {
  const file = posix.basename(module.document.file.path);
  const byKeyword = new Map<string, Declaration[]>();
  for (const declaration of module.declarations) {
    const [keyword = ''] = splitPointer(declaration.at.pointer);
    const group = byKeyword.get(keyword) ?? [];
    byKeyword.set(keyword, [...group, declaration]);
  }
  return [...byKeyword].map(([keyword, declarations]) => {
    const words = keyword === '$defs' || keyword === '' ? 'definitions' : keyword;
    const ordered = inFileOrder(module, keyword, declarations);
    return { module, declarations: ordered, ...headings.claim(`${file}: ${words}`, keyword) };
  });
}

/** What references lead to is found in another order than the one it stands in. */
function inFileOrder(
  { document }: ModuleModel,
  keyword: string,
  declarations: readonly Declaration[],
): readonly Declaration[] {
  const holder = isObject(document.root) ? getOwn(document.root, keyword) : undefined;
  const names = Object.keys(isObject(holder) ? holder : {});
  const position = ({ at }: Declaration): number =>
    names.indexOf(splitPointer(at.pointer)[1] ?? '');
  return [...declarations].sort((a, b) => position(a) - position(b));
}
