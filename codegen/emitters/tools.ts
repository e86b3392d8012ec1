/** The tools as a set: names, definitions, and one parser for all of them. */
import { posix } from 'node:path';
import type { JsonObject } from '../json.ts';
import { flattenReadably } from '../flatten.ts';
import type { ContractModel, ToolModel } from '../model/contract.ts';
import { typeName } from '../model/modules.ts';
import type { Mode } from '../model/type-node.ts';
import { toValueName } from '../names.ts';
import type { EmitContext, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import { printComment, printJson, printValue } from './print-type.ts';

/** Emits `tools/index.js` and its declarations; nothing for a project without tools. */
export const tools: Emitter = {
  name: 'tools',
  emit: (model, context) => {
    if (model.tools.length === 0) return [];
    return [
      { path: 'generated/tools/index.js', text: indexCode(model) },
      { path: 'generated/tools/index.d.ts', text: indexTypes(model, context) },
    ];
  },
};

/** What the head of a file says that is made of all tools. */
export const TOOLS_BANNER = banner('schemas/tools');

/** A tool's input schema with local references; the annotations named are left out. */
export function readableInput(
  { types }: ContractModel,
  tool: ToolModel,
  dropped: readonly string[] = [],
): JsonObject {
  const flat = flattenReadably(
    types.resolution,
    tool.input.at,
    (keyword) => !dropped.includes(keyword),
  );
  // The shape of tool files says that the input is a schema of objects.
  return flat as JsonObject;
}

/** A tool's output schema with local references, when the tool returns more than text. */
export function readableOutput(model: ContractModel, tool: ToolModel): JsonObject | undefined {
  const output = model.modules.find(
    ({ document }) => document.file === tool.source.file && document.prefix === '/output_schema',
  );
  if (output?.root === undefined) return undefined;
  const flat = flattenReadably(model.types.resolution, output.root.at);
  return typeof flat === 'boolean' ? undefined : flat;
}

function indexCode(model: ContractModel): string {
  // A tool may be called as something else here is: parsers, or freezeDeep.
  const parsers = model.tools.map((tool) => ({ tool, local: `${toValueName(tool.name)}Tool` }));
  const imports = parsers.map(
    ({ tool, local }) =>
      `import { parse${tool.input.name} as ${local} } from ${printJson(modulePath(tool))};\n`,
  );
  const definitions = Object.fromEntries(
    model.tools.map((tool) => [tool.name, define(model, tool)]),
  );
  const names = printValue(
    model.tools.map(({ name }) => name),
    0,
  );
  const table = parsers.map(({ tool, local }) => `  ${tool.name}: ${local},\n`).join('');
  return [
    TOOLS_BANNER +
      `import { freezeDeep } from "../runtime/freeze.js";\n` +
      `import { dropNulls } from "../runtime/strict-nulls.js";\n` +
      `import { parseNamed, parseNamedCall } from "../runtime/tools.js";\n` +
      imports.join(''),
    `export const TOOL_NAMES = /* @__PURE__ */ Object.freeze(${names});\n`,
    `export const TOOLS = /* @__PURE__ */ freezeDeep(${printValue(definitions, 0)});\n`,
    `const parsers = {\n${table}};\n`,
    FUNCTIONS,
  ].join('\n');
}

const FUNCTIONS = `export function isToolName(value) {
  return typeof value === "string" && Object.hasOwn(parsers, value);
}

export function parseToolInput(name, value) {
  return parseNamed(parsers, name, value);
}

export function parseToolCall(name, argumentsText) {
  return parseNamedCall(parsers, name, argumentsText);
}

export function parseStrictToolInput(name, value) {
  const input = isToolName(name) ? dropNulls(TOOLS[name].inputSchema, value) : value;
  return parseNamed(parsers, name, input);
}
`;

function define(model: ContractModel, tool: ToolModel): JsonObject {
  const { name, description, execution, idempotency } = tool.source.tool;
  const outputSchema = readableOutput(model, tool);
  return {
    name,
    description,
    execution,
    idempotency,
    inputSchema: readableInput(model, tool),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
}

function indexTypes({ tools: list }: ContractModel, { templates }: EmitContext): string {
  const names = list.map(({ name }) => name);
  const definitions = list.map(({ name, source: { tool } }) => {
    const facts = [name, tool.execution, tool.idempotency].map(printJson).join(', ');
    return `${printComment(tool.description, 2)}  readonly ${name}: ToolDefinition<${facts}>;`;
  });
  const members = (mode: Mode): string =>
    list
      .map((tool) => {
        const comment = printComment(tool.source.tool.description, 2);
        return `${comment}  ${tool.name}: ${importedType(tool, mode)};`;
      })
      .join('\n');
  return (
    TOOLS_BANNER +
    templates.render('package/tools.d.ts.hbs', {
      names: printValue(names, 0),
      definitions: definitions.join('\n'),
      inputs: members('output'),
      callInputs: members('input'),
    })
  );
}

/** Types are named through their modules: two tools may call their arguments the same. */
function importedType(tool: ToolModel, mode: Mode): string {
  return `import(${printJson(modulePath(tool))}).${typeName(tool.input, mode)}`;
}

function modulePath({ module }: ToolModel): string {
  return `./${posix.basename(module.path)}.js`;
}
