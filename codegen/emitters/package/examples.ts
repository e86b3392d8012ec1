/** The README's examples: complete programs, made of the examples that manifests and tools state. */
import type { Json } from '../../json.ts';
import type { ContractModel, EntryModel, ExtensionModel, ToolModel } from '../../model/contract.ts';
import { toConstantName, toTypeName } from '../../names.ts';
import { examplesOf } from '../docs/properties.ts';
import { printJson, printValue } from '../print-type.ts';

/** Reads (and, for a part, makes) the first piece of an extension's data that states an example. */
export function extensionExample(model: ContractModel, extension: ExtensionModel): string {
  const { name } = model.config;
  const from = `${name}/${extension.name}/${extension.version}`;
  const shown = extension.entries.find(({ entry }) => exampleOf(entry.examples) !== undefined);
  if (shown === undefined) return `${importLine(['URI'], from)}\nconsole.log(URI);\n`;
  const { names, lines } = usageOf(shown);
  return (
    importLine(['formatErrors'], name) + importLine(names, from) + `\n${lines}\n` + PRINT_RESULT
  );
}

/** Checks a call that some tool states as an example; without one it only shows the definitions. */
export function toolExample({ config, tools }: ContractModel): string {
  const tool = tools.find(({ input }) => examplesOf(input.at).length > 0);
  const checks = tool === undefined ? [] : ['formatErrors', 'parseToolCall'];
  return (
    (tool === undefined ? '' : importLine(checks, config.name)) +
    importLine(['ANTHROPIC_TOOLS'], `${config.name}/tools/anthropic`) +
    `\n// What goes into a request to the model.\n` +
    `const request = { tools: ANTHROPIC_TOOLS };\n` +
    `console.log(request.tools.map((tool) => tool.name));\n` +
    (tool === undefined ? '' : callExample(tool))
  );
}

function callExample({ name, input }: ToolModel): string {
  const call = JSON.stringify(examplesOf(input.at)[0]);
  return (
    `\n// What comes back: a name, and arguments as text.\n` +
    `const call = parseToolCall(${printJson(name)}, ${quoteText(call)});\n` +
    `if (call.ok) console.log(call.value.name, call.value.input);\n` +
    `else console.error(formatErrors(call.errors));\n`
  );
}

/** Makes the card for another address. */
export function cardExample({ config }: ContractModel): string {
  return (
    importLine(['createAgentCard'], config.name) +
    `\nconst card = createAgentCard({ baseUrl: "https://agent.example/" });\n` +
    `console.log(JSON.stringify(card, null, 2));\n`
  );
}

const PRINT_RESULT = `if (result === undefined) console.log("there is none");
else if (result.ok) console.log(result.value);
else console.error(formatErrors(result.errors));
`;

interface Usage {
  readonly names: readonly string[];
  readonly lines: string;
}

function usageOf({ entry }: EntryModel): Usage {
  const name = toTypeName(entry.name);
  const value = exampleOf(entry.examples) ?? null;
  if (entry.in.includes('card.params')) {
    const card = '{ capabilities: { extensions: [AGENT_EXTENSION] } }';
    const lines = `const card = ${card};\nconst result = read${name}(card);`;
    return { names: ['AGENT_EXTENSION', `read${name}`], lines };
  }
  if (entry.in.includes('part')) {
    const lines = `const part = create${name}Part(${printValue(value, 0)});\nconst result = read${name}(part);`;
    return { names: [`create${name}Part`, `read${name}`], lines };
  }
  const carrier = CARRIERS[entry.in[0]?.split('.')[0] ?? ''] ?? 'carrier';
  const key = `${toConstantName(entry.name)}_KEY`;
  const metadata = `{\n    [${key}]: ${printValue(value, 4)},\n  }`;
  const lines = `const ${carrier} = {\n  metadata: ${metadata},\n};\nconst result = read${name}(${carrier});`;
  return { names: [key, `read${name}`], lines };
}

/** What examples call the structure that holds the metadata. */
const CARRIERS: Readonly<Record<string, string>> = {
  task: 'task',
  'status-update': 'update',
  'artifact-update': 'update',
  message: 'message',
  part: 'part',
  artifact: 'artifact',
  request: 'request',
};

/** The example of an entry that is shown: the shorter one. */
export function exampleOf(examples: EntryModel['entry']['examples']): Json | undefined {
  return examples?.minimal ?? examples?.full;
}

/** An import of names from a module. */
export function importLine(names: readonly string[], from: string): string {
  return `import { ${names.join(', ')} } from ${printJson(from)};\n`;
}

/** JSON text is easier to read between single quotes, where that is possible. */
function quoteText(text: string): string {
  return /['\\\u2028\u2029]/.test(text) ? printJson(text) : `'${text}'`;
}
