/** What a newcomer meets who changes this contract: what is written, and what is said when it breaks. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCodegen } from '../support/command-line.ts';
import { makeFolder, repository } from '../support/projects.ts';
import type { ScratchProject } from '../support/scratch-project.ts';
import { copyProject } from '../support/scratch-project.ts';

const TASK = 'schemas/extensions/task/v1/schema.json';
const MANIFEST = 'schemas/extensions/task/v1/extension.json';

/** A copy of this contract, with the packages that it needs, generated once. */
function copyContract(): ScratchProject {
  const { path, remove } = makeFolder('contract');
  for (const part of ['schemas', 'LICENSE']) {
    cpSync(join(repository, part), join(path, part), { recursive: true });
  }
  const project = copyProject(path);
  remove();
  mkdirSync(join(project.root, 'node_modules'));
  symlinkSync(
    join(repository, 'node_modules', '@a2ui'),
    join(project.root, 'node_modules', '@a2ui'),
  );
  expect(project.run()).toMatchObject({ code: 0, err: '' });
  return project;
}

let project: ScratchProject;
beforeAll(() => {
  project = copyContract();
});
afterAll(() => {
  project.remove();
});

describe('this repository', { timeout: 60_000 }, () => {
  it('holds what its schemas say', () => {
    expect(runCodegen(['--check', '--no-cache'])).toMatchObject({ code: 0, err: '' });
  });
});

describe('an optional property of the task', { timeout: 60_000 }, () => {
  it('changes its types, validators, docs and bundled schemas, and nothing else', () => {
    const before = project.read(TASK);
    project.replace(
      TASK,
      '    "participants": {\n',
      '    "deadline": {\n      "description": "When it is due.",\n      "type": "string"\n    },\n    "participants": {\n',
    );
    const { code, out, err } = project.run();
    const types = project.read('generated/extensions/task/v1/task.d.ts');
    project.write(TASK, before);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const changed = out.split('\n').filter((line) => /^[-+~!] /.test(line));
    expect(changed.map((line) => line.replace(/:\d+$/, ''))).toEqual([
      '~ docs/a2a/ext/task/v1/index.md',
      '~ docs/a2a/ext/task/v1/schema.json',
      // The event envelope holds a task.
      '~ generated/extensions/task/v1/event.js',
      '~ generated/extensions/task/v1/event.validator.js',
      '~ generated/extensions/task/v1/task.d.ts',
      '~ generated/extensions/task/v1/task.js',
      '~ generated/extensions/task/v1/task.validator.js',
      '~ generated/schemas/task/v1/event.schema.json',
      '~ generated/schemas/task/v1/schema.json',
      '~ generated/manifest.json',
    ]);
    expect(types).toContain('  /** When it is due. */\n  deadline?: string;\n');
    expect(project.run()).toMatchObject({ code: 0 });
  });
});

interface Break {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly rule: string;
  /** Where: the line is found by its text. */
  readonly at: string;
  readonly says: RegExp;
}

const breaks: readonly (readonly [what: string, how: Break])[] = [
  [
    'a comma too many',
    {
      file: TASK,
      from: '"required": ["name", "goal"],',
      to: '"required": ["name", "goal",],',
      rule: 'JSON_SYNTAX',
      at: '"goal",]',
      says: /"\]" follows a comma/,
    },
  ],
  [
    'a key that stands twice',
    {
      file: TASK,
      from: '  "title": "TaskExtensionData",\n',
      to: '  "title": "TaskExtensionData",\n  "title": "Task",\n',
      rule: 'JSON_DUPLICATE_KEY',
      at: '"title": "Task",',
      says: /the key "title" stands twice/,
    },
  ],
  [
    'a misspelt keyword',
    {
      file: TASK,
      from: '"additionalProperties": false',
      to: '"aditionalProperties": false',
      rule: 'UNKNOWN_KEYWORD',
      at: '"aditionalProperties"',
      says: /"aditionalProperties".*\n.*\n.*additionalProperties/,
    },
  ],
  [
    'a type that does not exist',
    {
      file: TASK,
      from: '"description": "Whether the condition holds now.",\n          "type": "boolean"',
      to: '"description": "Whether the condition holds now.",\n          "type": "bool"',
      rule: 'META_SCHEMA',
      at: '"type": "bool"',
      says: /no type is called "bool"; there are null, boolean/,
    },
  ],
  [
    'a reference that leads nowhere',
    {
      file: TASK,
      from: '"items": { "$ref": "#/$defs/Participant" }',
      to: '"items": { "$ref": "#/$defs/Particpant" }',
      rule: 'REF_UNRESOLVED',
      at: 'Particpant',
      says: /leads nowhere.*\n.*\n.*Did you mean #\/\$defs\/Participant\?/,
    },
  ],
  [
    'an $id that is not where the file is published',
    {
      file: 'schemas/extensions/status/v1/schema.json',
      from: '/ext/status/v1/schema.json",',
      to: '/ext/status/v2/schema.json",',
      rule: 'ID_MATCHES_PATH',
      at: '"$id"',
      says: /published at \S+\/ext\/status\/v1\/schema\.json/,
    },
  ],
  [
    'a default of the wrong type',
    {
      file: TASK,
      from: '"type": "boolean",\n          "default": false',
      to: '"type": "boolean",\n          "default": "no"',
      rule: 'DEFAULT_VALID',
      at: '"default": "no"',
      says: /must be a boolean; got "no"/,
    },
  ],
  [
    'a property without a description',
    {
      file: TASK,
      from: '"description": "Whether the condition holds now.",',
      to: '"$comment": "Whether the condition holds now.",',
      rule: 'PROPERTY_DESCRIPTION',
      at: '"met": {',
      says: /the property "met" has no description/,
    },
  ],
  [
    'an object that does not say whether it is open',
    {
      file: TASK,
      from: '"description": "One condition that the result has to meet.",\n      "type": "object",\n      "additionalProperties": true,',
      to: '"description": "One condition that the result has to meet.",\n      "type": "object",',
      rule: 'OBJECT_OPENNESS',
      at: '"AcceptanceCriterion": {',
      says: /does not say whether/,
    },
  ],
  [
    'a schema file that is not there',
    {
      file: MANIFEST,
      from: '"schema": "event.schema.json"',
      to: '"schema": "events.schema.json"',
      rule: 'MANIFEST_SCHEMA',
      at: 'events.schema.json',
      says: /events\.schema\.json/,
    },
  ],
  [
    'an example that is not valid',
    {
      file: MANIFEST,
      from: '"minimal": { "kind": "control", "action": "complete" }',
      to: '"minimal": { "kind": "control", "action": "finish" }',
      rule: 'EXAMPLE_VALID',
      at: '"finish"',
      says: /action must be "complete"; got "finish"/,
    },
  ],
  [
    'a tool that is called otherwise than its file',
    {
      file: 'schemas/tools/load_skill.json',
      from: '"name": "load_skill"',
      to: '"name": "load_skills"',
      rule: 'TOOL_NAME',
      at: '"load_skills"',
      says: /load_skill/,
    },
  ],
  [
    'a manifest member that does not exist',
    {
      file: MANIFEST,
      from: '"activation": "always"',
      to: '"activated": "always"',
      rule: 'MANIFEST_SHAPE',
      at: '"activated"',
      says: /activated/,
    },
  ],
];

describe('breaking a schema', { timeout: 60_000 }, () => {
  it.each(breaks)('%s: says where, what and what to do, and writes nothing', (_what, how) => {
    const { file, from, to, rule, at, says } = how;
    const whole = project.read(file);
    project.replace(file, from, to);
    const before = project.tree();
    const line =
      project
        .read(file)
        .split('\n')
        .findIndex((text) => text.includes(at)) + 1;
    const { code, out, err } = project.run();
    const after = project.tree();
    project.write(file, whole);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    const places = [...err.matchAll(/^(\S+?):(\d+):(\d+): (.+) \[(\w+)\]$/gm)];
    expect(places.map(([, path, row, , , id]) => `${path}:${row} ${id}`)).toContain(
      `${file}:${String(line)} ${rule}`,
    );
    expect(err).toMatch(/\n\d+ problems?; nothing was written\n$/);
    expect(after).toEqual(before);
  });
});
