/** The tools as OpenAI's two APIs take them, plain and strict. */
import type { JsonObject } from '../../json.ts';
import type { ContractModel, ToolModel } from '../../model/contract.ts';
import { toValueName } from '../../names.ts';
import { printValue } from '../print-type.ts';
import { readableInput } from '../tools.ts';
import type { StrictTool, ToolForm, ToolList } from './form.ts';
import { describeStrictList, describeTool, strictTools, typeArguments } from './form.ts';
import { OPENAI_STRICT } from './strict-dialects.ts';

/** What a model is not told: the names of types, and whole calls. */
const UNTOLD = ['title', 'examples'];

/** The file `tools/openai.js`. The lists of both APIs share what a function is made of. */
export function openaiForm(model: ContractModel): ToolForm {
  const strict = strictTools(model, OPENAI_STRICT);
  const functions = model.tools.map((tool) =>
    functionOf(tool, readableInput(model, tool, UNTOLD), false),
  );
  const strictFunctions = strict.flatMap(({ tool, schema }) =>
    schema === undefined ? [] : [functionOf(tool, schema, true)],
  );
  const plain = strict.map(({ tool }): StrictTool => ({ tool, reason: '' }));
  return {
    constants: [...functions, ...strictFunctions],
    lists: [
      chatList('OPENAI_TOOLS', CHAT, plain),
      chatList('OPENAI_STRICT_TOOLS', describeStrictList(CHAT + STRICT, strict), strict),
      responsesList('OPENAI_RESPONSES_TOOLS', RESPONSES, plain),
      responsesList(
        'OPENAI_RESPONSES_STRICT_TOOLS',
        describeStrictList(RESPONSES + STRICT, strict),
        strict,
      ),
    ],
  };
}

const CHAT = 'The tools for the Chat Completions API (`tools`).';
const RESPONSES = 'The tools for the Responses API (`tools`).';
const STRICT =
  ' A model keeps to the schemas, and sends null for what it leaves out: read its arguments with' +
  ' `parseStrictToolInput`.';

function chatList(name: string, about: string, tools: readonly StrictTool[]): ToolList {
  return {
    name,
    about,
    entries: tools.map((each) => `{ type: "function", function: ${constantName(each)} }`),
    types: tools.map((each) => `OpenAiTool<${factsOf(each)}>`),
  };
}

function responsesList(name: string, about: string, tools: readonly StrictTool[]): ToolList {
  return {
    name,
    about,
    entries: tools.map((each) => `{ type: "function", ...${constantName(each)} }`),
    types: tools.map((each) => `OpenAiResponsesTool<${factsOf(each)}>`),
  };
}

function functionOf(tool: ToolModel, parameters: JsonObject, strict: boolean): string {
  const value = { ...describeTool(tool), parameters, strict };
  return `const ${localName(tool, strict)} = ${printValue(value, 0)};\n`;
}

function constantName({ tool, schema }: StrictTool): string {
  return localName(tool, schema !== undefined);
}

function localName({ name }: ToolModel, strict: boolean): string {
  return toValueName(name) + (strict ? 'Strict' : '');
}

function factsOf({ tool, schema }: StrictTool): string {
  return typeArguments(tool, schema !== undefined);
}
