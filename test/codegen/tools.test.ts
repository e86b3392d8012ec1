/** The tools as a set: what they are called with, what is said about what does not fit. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../codegen/json.ts';
import type { ContractPackage } from '../support/contract-package.ts';
import { declarationsOf, writePackage } from '../support/contract-package.ts';
import { repository } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

type Result =
  | { ok: true; value: unknown }
  | { ok: false; errors: readonly { path: string; message: string; keyword: string }[] };

interface ToolsModule {
  TOOL_NAMES: readonly string[];
  TOOLS: Record<string, { inputSchema: { properties: Record<string, Json> } }>;
  isToolName: (value: unknown) => boolean;
  parseToolInput: (name: string, value: unknown) => Result;
  parseToolCall: (name: string, text: unknown) => Result;
  parseStrictToolInput: (name: string, value: unknown) => Result;
}

interface ToolFile {
  name: string;
  description: string;
  idempotency: string;
  input_schema: { examples: Record<string, Json>[] };
}

const folder = join(repository, 'schemas', 'tools');
const sources = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as ToolFile,
);
const calls = sources.flatMap(({ name, input_schema: { examples } }) =>
  examples.map((example) => [name, example] as const),
);

let contract: ContractPackage;
let tools: ToolsModule;
beforeAll(async () => {
  contract = writePackage();
  tools = (await contract.load('tools/index.js')) as ToolsModule;
});
afterAll(() => {
  contract.remove();
});

function messageOf(result: Result): string {
  return result.ok ? 'ok' : result.errors.map(({ message }) => message).join('\n');
}

describe('the set', () => {
  it('holds every tool file, as it is written', () => {
    expect(tools.TOOL_NAMES).toEqual(sources.map(({ name }) => name).sort());
    for (const { name, description, idempotency } of sources) {
      expect(tools.TOOLS[name]).toMatchObject({
        name,
        description,
        idempotency,
        execution: 'intrinsic',
      });
    }
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(tools.TOOL_NAMES)).toBe(true);
    expect(Object.isFrozen(tools.TOOLS.create_plan?.inputSchema.properties)).toBe(true);
  });

  it.each([
    ['create_plan', true],
    ['nope', false],
    ['toString', false],
    ['__proto__', false],
    [1, false],
    [undefined, false],
  ])('knows whether %j is a tool', (value, known) => {
    expect(tools.isToolName(value)).toBe(known);
  });
});

describe('parsing arguments', () => {
  it.each(calls)('accepts the example of %s: %j', (name, example) => {
    expect(tools.parseToolInput(name, example)).toMatchObject({ ok: true, value: example });
    expect(tools.parseToolCall(name, JSON.stringify(example))).toMatchObject({
      ok: true,
      value: { name, input: example },
    });
  });

  it('fills in defaults and leaves the argument as it was', () => {
    const input = { participant_id: 'alice', question: 'Why?' };
    const result = tools.parseToolInput('ask_participant', input);
    expect(result).toEqual({ ok: true, value: { ...input, options: [] } });
    expect(input).not.toHaveProperty('options');
  });

  it.each([
    [
      'set_participant_role',
      { participant_id: 'bob', role: 'owner' },
      /role must be one of .*owner/,
    ],
    ['create_plan', { steps: [] }, /steps/],
    ['list_skills', { all: true }, /all/],
  ])('says what is wrong with %s %j', (name, value, message) => {
    expect(messageOf(tools.parseToolInput(name, value))).toMatch(message);
  });

  it.each(['nope', 'toString', '__proto__', ''])('lists the tools when %j is none', (name) => {
    const names = tools.TOOL_NAMES.join(', ');
    const message = `there is no tool ${JSON.stringify(name)}; the tools are ${names}`;
    for (const parse of [tools.parseToolInput, tools.parseStrictToolInput]) {
      const result = parse(name, {});
      expect(result).toMatchObject({
        ok: false,
        errors: [{ path: '', keyword: 'tool', message }],
      });
    }
  });
});

describe('parsing a call', () => {
  it('refuses a call without a name', () => {
    const nothing = undefined as unknown as string;
    expect(messageOf(tools.parseToolCall(nothing, '{}'))).toMatch(/^there is no tool undefined;/);
  });

  it.each(['', ' \n'])('takes blank text (%j) for no arguments', (text) => {
    const value = { name: 'list_skills', input: {} };
    expect(tools.parseToolCall('list_skills', text)).toEqual({ ok: true, value });
    expect(messageOf(tools.parseToolCall('load_skill', text))).toMatch(/name/);
  });

  it('takes arguments that are parsed already', () => {
    expect(tools.parseToolCall('load_skill', { name: 'a' })).toMatchObject({ ok: true });
  });

  it.each([
    [
      '{"name":"a",}',
      'at line 1, column 13 there is "}" instead of a property name in double quotes',
    ],
    ['{"name":"a"', 'the text ends at line 1, column 12, where a comma or a } is missing'],
    [
      '{"name":"a',
      'the text ends at line 1, column 11, where the closing quote of a string is missing',
    ],
    ['{"name":', 'the text ends at line 1, column 9, where a value is missing'],
    ['{\n  "name" "a"\n}', 'at line 2, column 10 there is "\\"" instead of a colon'],
    ["{'name':1}", 'at line 1, column 2 there is "\'" instead of a property name in double quotes'],
    ['{"name":None}', 'at line 1, column 9 there is "None" instead of a value'],
    ['{"name":01}', 'at line 1, column 9 there is "01" instead of a value'],
    ['{"name":"a"}}', 'at line 1, column 13 there is "}" instead of the end'],
    ['[1 2]', 'at line 1, column 4 there is "2" instead of a comma or a ]'],
    ['[1,]', 'at line 1, column 4 there is "]" instead of a value'],
    [
      '{"name":"a\nb"}',
      'at line 1, column 11 there is "\\n" instead of an escape such as \\n in a string',
    ],
    ['{"name":"\\x"}', 'at line 1, column 10 there is "\\\\" instead of an escape that JSON knows'],
    ['```json\n{}\n```', 'at line 1, column 1 there is "`" instead of a value'],
  ])('says where %j is broken', (text, place) => {
    const result = tools.parseToolCall('load_skill', text);
    expect(messageOf(result)).toBe(`the arguments are not JSON: ${place}`);
  });

  it('finds the fault in megabytes of text', () => {
    const result = tools.parseToolCall('load_skill', `{"name":"${'x'.repeat(5_000_000)}`);
    expect(messageOf(result)).toMatch(/column 5000010/);
  });
});

describe('parsing what a strict mode sends', () => {
  it.each(calls)('takes null for what the call of %s leaves out: %j', (name, example) => {
    const names = Object.keys(tools.TOOLS[name]?.inputSchema.properties ?? {});
    const sent = Object.fromEntries(names.map((key) => [key, example[key] ?? null]));
    const result = tools.parseStrictToolInput(name, sent);
    expect(result).toEqual(tools.parseToolInput(name, example));
  });

  it('looks inside lists and definitions, and leaves what was sent as it was', () => {
    const step = { name: 'a', description: 'b', depends_on: null };
    const result = tools.parseStrictToolInput('create_plan', { steps: [step] });
    expect(result).toEqual({ ok: true, value: { steps: [{ ...step, depends_on: [] }] } });
    expect(step.depends_on).toBeNull();
  });

  it('keeps a null that has a meaning, and refuses one that is required to be something', () => {
    const task = { name: 'a', goal: 'b', description: null, agent: null };
    expect(tools.parseStrictToolInput('spawn_subtask', task)).toMatchObject({
      value: { agent: null, description: '' },
    });
    expect(messageOf(tools.parseStrictToolInput('load_skill', { name: null }))).toMatch(/name/);
    expect(messageOf(tools.parseStrictToolInput('load_skill', { name: 'a', x: null }))).toMatch(
      /x/,
    );
    expect(messageOf(tools.parseStrictToolInput('load_skill', null))).toMatch(/object/);
  });
});

it('types each call by its name', () => {
  const use = `
    import { TOOLS, isToolName, parseStrictToolInput, parseToolCall, parseToolInput } from './contract/tools/index.js';
    import type { ToolCall, ToolCallInputs, ToolInputs, ToolName } from './contract/tools/index.js';

    declare const some: string;
    const one = parseToolInput('ask_participant', {});
    if (one.ok) one.value.options satisfies string[];
    const either = parseToolInput(some as 'load_skill' | 'create_plan', {});
    if (either.ok) either.value satisfies ToolInputs['load_skill'] | ToolInputs['create_plan'];
    // @ts-expect-error there is no such tool
    parseToolInput('nope', {});
    // @ts-expect-error a union has only what its members share
    if (either.ok) either.value.steps;

    const call = parseToolCall(some, '{}');
    if (call.ok && call.value.name === 'create_plan') call.value.input.steps[0]?.depends_on satisfies string[] | undefined;
    const known = parseToolCall('load_skill', '{}');
    if (known.ok) known.value satisfies { name: 'load_skill'; input: { name: string } };
    if (isToolName(some)) TOOLS[some].inputSchema.type satisfies 'object';
    TOOLS.create_plan.idempotency satisfies 'idempotent';
    parseStrictToolInput('list_skills', {}) satisfies { ok: boolean };

    ({ participant_id: 'a', question: 'b' }) satisfies ToolCallInputs['ask_participant'];
    // @ts-expect-error what is parsed has its defaults
    ({ participant_id: 'a', question: 'b' }) satisfies ToolInputs['ask_participant'];

    function handle(each: ToolCall): ToolName {
      switch (each.name) {
        case 'emit_ui': each.input.messages satisfies object[]; return each.name;
        default: return each.name;
      }
    }
    void handle;
  `;
  expect(checkTypes(new Map([...declarationsOf(contract), ['use.ts', use]]))).toEqual([]);
});
