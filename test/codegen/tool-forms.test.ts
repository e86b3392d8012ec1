/** The tools in the forms of model APIs: shapes, and schemas that a strict mode can hold a model to. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { followPointer, isArray, isObject } from '../../codegen/json.ts';
import { forEachSubschema } from '../../codegen/vocabulary.ts';
import type { ContractPackage } from '../support/contract-package.ts';
import { declarationsOf, writePackage } from '../support/contract-package.ts';
import type { AnthropicTool, Forms, OpenAiFunction } from '../support/tool-forms.ts';
import { loadForms } from '../support/tool-forms.ts';
import { checkTypes } from '../support/type-check.ts';

let contract: ContractPackage;
let forms: Forms;
beforeAll(async () => {
  contract = writePackage();
  forms = await loadForms(contract);
});
afterAll(() => {
  contract.remove();
});

/** All schemas in a schema, itself first. */
function listSchemas(schema: JsonObject): JsonObject[] {
  const found = [schema];
  forEachSubschema(schema, '', (child) => {
    if (typeof child === 'object') found.push(...listSchemas(child as JsonObject));
  });
  return found;
}

function isValid(schema: JsonObject, value: unknown): boolean {
  return new Ajv2020({ strict: false }).compile(schema)(value);
}

/** A value as a model writes it that may leave nothing out. */
function withNulls(root: JsonObject, schema: JsonObject, value: Json): Json {
  const { $ref, items, properties } = schema;
  if (typeof $ref === 'string') {
    return withNulls(root, followPointer(root, $ref.slice(1)) as JsonObject, value);
  }
  if (isArray(value)) return value.map((item) => withNulls(root, items as JsonObject, item));
  if (!isObject(value)) return value;
  const members = Object.entries(properties as Record<string, JsonObject>);
  return Object.fromEntries(
    members.map(([key, member]) => [key, withNulls(root, member, value[key] ?? null)]),
  );
}

const strictFunctions = (): OpenAiFunction[] =>
  forms.OPENAI_STRICT_TOOLS.map((tool) => tool.function).filter(({ strict }) => strict);
const strictAnthropic = (): AnthropicTool[] =>
  forms.ANTHROPIC_STRICT_TOOLS.filter(({ strict }) => strict);

describe('every list', () => {
  it('holds every tool, in order', () => {
    const names = Object.keys(forms.TOOLS);
    const chat = [forms.OPENAI_TOOLS, forms.OPENAI_STRICT_TOOLS];
    for (const list of chat) expect(list.map((tool) => tool.function.name)).toEqual(names);
    const others = [
      forms.OPENAI_RESPONSES_TOOLS,
      forms.OPENAI_RESPONSES_STRICT_TOOLS,
      forms.ANTHROPIC_TOOLS,
      forms.ANTHROPIC_STRICT_TOOLS,
      forms.MCP_TOOLS,
    ];
    for (const list of others) expect(list.map(({ name }) => name)).toEqual(names);
  });

  it('is plain JSON', () => {
    const { OPENAI_STRICT_TOOLS, ANTHROPIC_STRICT_TOOLS, MCP_TOOLS } = forms;
    const data = { OPENAI_STRICT_TOOLS, ANTHROPIC_STRICT_TOOLS, MCP_TOOLS };
    expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data);
  });

  it('gives both OpenAI APIs the same functions', () => {
    const flat = (list: Forms['OPENAI_TOOLS']): object[] =>
      list.map((tool) => ({ type: tool.type, ...tool.function }));
    expect(forms.OPENAI_RESPONSES_TOOLS).toEqual(flat(forms.OPENAI_TOOLS));
    expect(forms.OPENAI_RESPONSES_STRICT_TOOLS).toEqual(flat(forms.OPENAI_STRICT_TOOLS));
  });

  it('tells MCP clients which calls may be repeated', () => {
    const [ask, complete] = forms.MCP_TOOLS;
    expect(ask).toMatchObject({ title: 'Ask participant', annotations: { idempotentHint: false } });
    expect(complete).toMatchObject({ annotations: { idempotentHint: true } });
  });
});

describe('strict schemas', () => {
  it('leave only emit_ui out, and say why', () => {
    const open = forms.OPENAI_STRICT_TOOLS.filter((tool) => !tool.function.strict);
    expect(open.map((tool) => tool.function.name)).toEqual(['emit_ui']);
    expect(open[0]?.function).toEqual(
      forms.OPENAI_TOOLS.find((tool) => tool.function.name === 'emit_ui')?.function,
    );
    for (const file of ['openai', 'anthropic']) {
      expect(contract.files.get(`tools/${file}.d.ts`)).toContain(
        '`emit_ui` is not strict: `messages[]` is an object with any members.',
      );
    }
  });

  it('close every object; for OpenAI all members are required', () => {
    for (const { parameters } of strictFunctions()) {
      for (const schema of listSchemas(parameters)) {
        if (schema.properties === undefined) continue;
        expect(schema.additionalProperties).toBe(false);
        expect(schema.required).toEqual(Object.keys(schema.properties as object));
      }
    }
    for (const { input_schema } of strictAnthropic()) {
      for (const schema of listSchemas(input_schema)) {
        if (schema.properties !== undefined) expect(schema.additionalProperties).toBe(false);
      }
    }
  });

  it('hold no keyword that the API does not know', () => {
    const common = ['type', 'description', 'properties', 'required', 'additionalProperties'];
    const known = new Set([...common, 'items', 'enum', 'anyOf', '$ref', '$defs', 'minItems']);
    const all = [
      ...strictFunctions().map(({ parameters }) => parameters),
      ...strictAnthropic().map(({ input_schema }) => input_schema),
    ];
    const keywords = all.flatMap(listSchemas).flatMap((schema) => Object.keys(schema));
    expect(keywords.filter((keyword) => !known.has(keyword))).toEqual([]);
  });

  it('admit every example, with null for what it leaves out where the API wants that', () => {
    for (const { name, parameters } of strictFunctions()) {
      for (const example of forms.TOOLS[name]!.inputSchema.examples) {
        const value = withNulls(parameters, parameters, example);
        expect([name, isValid(parameters, value)]).toEqual([name, true]);
      }
    }
    for (const { name, input_schema } of strictAnthropic()) {
      for (const example of forms.TOOLS[name]!.inputSchema.examples) {
        expect([name, isValid(input_schema, example)]).toEqual([name, true]);
      }
    }
  });
});

it('fits what the libraries of these APIs take', () => {
  // The parts of their types that tools are checked against; lists are not readonly there.
  const use = `
    import { OPENAI_RESPONSES_STRICT_TOOLS, OPENAI_STRICT_TOOLS, OPENAI_TOOLS } from './contract/tools/openai.js';
    import { ANTHROPIC_STRICT_TOOLS, ANTHROPIC_TOOLS } from './contract/tools/anthropic.js';
    import { MCP_TOOLS } from './contract/tools/mcp.js';
    import { TOOLS } from './contract/tools/index.js';

    interface Fn { name: string; description?: string; parameters?: { [key: string]: unknown }; strict?: boolean | null }
    interface InputSchema { type: 'object'; properties?: unknown; required?: string[] | null; [key: string]: unknown }
    interface McpSchema { type: 'object'; properties?: { [key: string]: object }; required?: string[]; [key: string]: unknown }

    OPENAI_TOOLS satisfies { type: 'function'; function: Fn }[];
    OPENAI_STRICT_TOOLS satisfies { type: 'function'; function: Fn }[];
    OPENAI_RESPONSES_STRICT_TOOLS satisfies ({ type: 'function'; parameters: { [key: string]: unknown } | null; strict: boolean | null; name: string })[];
    ANTHROPIC_TOOLS satisfies { name: string; input_schema: InputSchema; strict?: boolean }[];
    ANTHROPIC_STRICT_TOOLS satisfies { name: string; input_schema: InputSchema; strict?: boolean }[];
    MCP_TOOLS satisfies { name: string; title?: string; inputSchema: McpSchema; annotations?: { idempotentHint?: boolean } }[];
    TOOLS.create_plan.inputSchema satisfies InputSchema & McpSchema;
    OPENAI_STRICT_TOOLS[0].function satisfies { name: 'ask_participant'; strict: true };
  `;
  expect(checkTypes(new Map([...declarationsOf(contract), ['use.ts', use]]))).toEqual([]);
});
