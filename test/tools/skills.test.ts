/** The five tools of skills, over a directory. */
import { describe, expect, test } from 'vitest';
import type { LoadedSkill, Turn } from '../../src/agents/port.ts';
import { makeDirectory, skillText, writeInto } from '../skills/skill-directory.ts';
import type { Stage } from './stage.ts';
import { callTool, describeEvent, done, expectRefused, startStage } from './stage.ts';

const files = {
  'greet/SKILL.md': skillText('greet', 'Say hello.'),
  'greet/references/words.md': 'hello, hi',
  'greet/scripts/greet.sh': 'echo hello',
  'part/SKILL.md': skillText('part', 'Say goodbye.'),
  'broken/SKILL.md': 'no front matter',
};

/** A stage with these skills, and a task. */
async function start(extra: Readonly<Record<string, string>> = {}) {
  const directory = makeDirectory({ ...files, ...extra });
  const stage = await startStage({ skills: directory });
  const taskId = (await stage.say('begin')).task.id;
  return { stage, taskId, directory };
}

/** What the agent has in its context in a new turn. */
async function skillsOf(stage: Stage, taskId: string): Promise<readonly LoadedSkill[]> {
  let skills: readonly LoadedSkill[] = [];
  stage.on('look', async (turn: Turn) => {
    skills = await turn.skills();
    return undefined;
  });
  await stage.say('look', { taskId });
  return skills;
}

const QUIET = ['WORKING', 'INPUT_REQUIRED · awaiting-next-message: done'];

test('skills are listed, a line each; those that are none are left out', async () => {
  const { stage, taskId } = await start();
  const { result, events } = await callTool(stage, 'list_skills', {}, { taskId });
  expect(result).toEqual(done('greet: For greet.\npart: For part.'));
  expect(events.slice(1).map(describeEvent)).toEqual(QUIET);
  const none = await callTool(await startStage(), 'list_skills', {});
  expect(none.result).toEqual(done('There are no skills.'));
});

test('a loaded skill is in the context of all turns of its task, as it is then, until it is unloaded', async () => {
  const { stage, taskId, directory } = await start();
  const loaded = await callTool(stage, 'load_skill', { name: 'greet' }, { taskId });
  expect(loaded.result).toEqual(done('Say hello.'));
  expect(loaded.events.slice(1).map(describeEvent)).toEqual(QUIET);
  await callTool(stage, 'load_skill', { name: 'part' }, { taskId });
  const again = await callTool(stage, 'load_skill', { name: 'greet' }, { taskId });
  expect(again.result).toEqual(done('Say hello.'));
  expect(await skillsOf(stage, taskId)).toEqual([
    { name: 'greet', body: 'Say hello.' },
    { name: 'part', body: 'Say goodbye.' },
  ]);
  const other = (await stage.say('another task')).task.id;
  expect(await skillsOf(stage, other)).toEqual([]);

  writeInto(directory, 'greet/SKILL.md', skillText('greet', 'Bow.'));
  writeInto(directory, 'part/SKILL.md', 'no front matter');
  expect(await skillsOf(stage, taskId)).toEqual([
    { name: 'greet', body: 'Bow.' },
    { name: 'part', body: undefined },
  ]);
  const gone = await callTool(stage, 'unload_skill', { name: 'part' }, { taskId });
  expect(gone.result).toEqual(done('"part" is unloaded.'));
  const twice = await callTool(stage, 'unload_skill', { name: 'part' }, { taskId });
  expect(twice.result).toEqual(done('"part" is not loaded.'));
  expect(await skillsOf(stage, taskId)).toEqual([{ name: 'greet', body: 'Bow.' }]);
});

test('thirty-two skills are loaded at most', async () => {
  const names = Array.from({ length: 33 }, (_, at) => `s${at}`);
  const entries = names.map((name) => [`${name}/SKILL.md`, skillText(name)]);
  const { stage, taskId } = await start(Object.fromEntries(entries) as Record<string, string>);
  stage.on('load', async (turn) => {
    for (const name of names.slice(0, 32)) {
      await turn.call({ id: name, name: 'load_skill', input: { name } });
    }
    return undefined;
  });
  await stage.say('load', { taskId });
  const loaded = names.slice(0, 32).join(', ');
  const text = `[skill.too_many] 32 skills are loaded, the most at a time; unload one first: ${loaded}`;
  await expectRefused(stage, 'load_skill', { name: 's32' }, text, { taskId });
  expect((await skillsOf(stage, taskId)).map(({ name }) => name)).toEqual(names.slice(0, 32));
});

test('the files of a skill are listed and read', async () => {
  const { stage, taskId } = await start();
  const list = await callTool(stage, 'list_skill_resources', { name: 'greet' }, { taskId });
  expect(list.result).toEqual(done('scripts: greet.sh\nreferences: words.md'));
  const none = await callTool(stage, 'list_skill_resources', { name: 'part' }, { taskId });
  expect(none.result).toEqual(done('The skill has no files.'));
  const input = { name: 'greet', kind: 'references', resource: 'words.md' };
  const read = await callTool(stage, 'load_skill_resource', input, { taskId });
  expect(read.result).toEqual(done('hello, hi'));
  expect(read.events.slice(1).map(describeEvent)).toEqual(QUIET);
});

describe('what is not there is refused', () => {
  const unknown = '[skill.unknown] there is no skill "../../etc"; there is greet, part';
  const broken =
    '[skill.invalid] the skill "broken" cannot be loaded: what is in its directory is no valid skill';
  test.each([
    ['load_skill', { name: '../../etc' }, unknown],
    ['load_skill', { name: 'broken' }, broken],
    ['list_skill_resources', { name: '../../etc' }, unknown],
    ['list_skill_resources', { name: 'broken' }, broken],
    ['load_skill_resource', { name: '../../etc', kind: 'assets', resource: 'passwd' }, unknown],
    [
      'load_skill_resource',
      { name: 'greet', kind: 'references', resource: '../SKILL.md' },
      '[skill.unknown_resource] the skill "greet" has no file "references/../SKILL.md"; it has scripts/greet.sh, references/words.md',
    ],
    [
      'load_skill_resource',
      { name: 'greet', kind: 'secrets', resource: 'x' },
      '[tool.invalid_arguments] /kind: kind must be one of scripts, references, assets; got "secrets"',
    ],
    [
      'list_skills',
      { name: 'greet' },
      '[tool.invalid_arguments] /name: "name" is not a known property',
    ],
    ['unload_skill', {}, '[tool.invalid_arguments] /: name is missing (a string)'],
  ])('%s %j', async (name, input, text) => {
    const { stage, taskId } = await start();
    await expectRefused(stage, name, input, text, { taskId });
  });
});
