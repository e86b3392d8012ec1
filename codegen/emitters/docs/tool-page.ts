/** The page of a tool, and the list of all tools. */
import type { ContractModel } from '../../model/contract.ts';
import type { Templates } from '../../templates.ts';
import type { DefinitionContext } from './definition.ts';
import { printDefinition, referencesFrom } from './definition.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printJsonBlock } from './json-block.ts';
import { examplesOf } from './properties.ts';
import { printParagraphs, printProse } from './prose.ts';
import type { SchemaPart, Site, ToolPage } from './site.ts';
import { linkTo } from './site.ts';
import { printTable } from './table.ts';

/** Prints the page of a tool. */
export function printToolPage(
  model: ContractModel,
  site: Site,
  page: ToolPage,
  templates: Templates,
): string {
  const { tool, path, input, output } = page;
  const { name, source } = tool;
  const context = {
    types: model.types,
    references: referencesFrom(site, model.types, path),
    writer: undefined,
  };
  const examples = examplesOf(tool.input.at);
  const errors = errorSentences(source.tool.description);
  return templates.render('docs/tool.md.hbs', {
    title: escapeText(name),
    list: 'index.md',
    description: printParagraphs(source.tool.description),
    facts: printFacts(model, page),
    input: printPart(input, context),
    examples: examples.length === 0 ? [] : [examples.map(printJsonBlock)],
    output: output === undefined ? { blocks: ['Text.'], sections: [] } : printPart(output, context),
    errors: errors.map((sentence) => `- ${printProse(sentence)}`),
  });
}

/** Where the list of all tools is. */
export function toolListPath(site: Site): string {
  return `${site.folder}/tools/index.md`;
}

/** Prints the list of all tools. */
export function printToolList(site: Site, templates: Templates): string {
  const path = toolListPath(site);
  const home = linkTo(path, `${site.folder}/index.md`);
  return templates.render('docs/tools.md.hbs', { home, table: printToolTable(site, path) });
}

/** The table of all tools; `from` is the page that it goes on. */
export function printToolTable(site: Site, from: string): string {
  return printTable(
    ['Tool', 'What it does', 'Safe to repeat'],
    site.tools.map(({ tool, path }) => [
      printLink(printCode(tool.name), linkTo(from, path)),
      printProse(firstSentence(tool.source.tool.description)),
      tool.source.tool.idempotency === 'idempotent' ? 'yes' : 'no',
    ]),
  );
}

function printFacts({ config }: ContractModel, { tool }: ToolPage): string {
  const { execution, idempotency } = tool.source.tool;
  const file = `${tool.name}.json`;
  const parse = `${printCode('parseToolInput')} from ${printCode(`${config.name}/tools`)}`;
  const type = `${printCode(tool.input.name)} from ${printCode(`${config.name}/${tool.module.path}`)}`;
  return printTable(
    ['', ''],
    [
      ['**Carried out by**', execution === 'intrinsic' ? INTRINSIC : escapeText(execution)],
      ['**Safe to repeat**', REPEAT[idempotency]],
      ['**In code**', `${parse}<br>${type}`],
      ['**File**', printLink(printCode(file), file)],
    ],
  );
}

const INTRINSIC = 'The agent itself, inside its own process.';

const REPEAT = {
  idempotent:
    'Yes. Two calls with the same arguments do what one does, so a call that was cut off may be made again.',
  not_idempotent: 'No. Each call acts anew, so only a call that failed may be made again.',
} as const;

/** The root's blocks, and the sections of the definitions that it uses. */
function printPart(
  { module, sections }: SchemaPart,
  context: Omit<DefinitionContext, 'examples'>,
): object {
  const root = sections.find(({ declaration }) => declaration === module.root);
  const others = sections.filter((section) => section !== root);
  return {
    blocks:
      root === undefined ? [] : printDefinition(root.declaration, { ...context, examples: false }),
    sections: others.map(({ heading, declaration }) => ({
      heading: escapeText(heading),
      blocks: printDefinition(declaration, { ...context, examples: true }),
    })),
  };
}

/** An error code as descriptions write it: `[plan.missing]`. */
const ERROR_CODE = /\[([a-z0-9_]+(?:\.[a-z0-9_]+)+)\]/g;

/** The sentences of a description that speak of errors, their codes as code. */
function errorSentences(description: string): readonly string[] {
  return splitSentences(description)
    .filter(
      (sentence) => /\berrors?\b|\brefused\b/i.test(sentence) || sentence.search(ERROR_CODE) >= 0,
    )
    .map((sentence) => sentence.replaceAll(ERROR_CODE, '`$1`'));
}

function firstSentence(text: string): string {
  return splitSentences(text)[0] ?? '';
}

function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=[^\p{Ll}])/u);
}
