/**
 * Which test holds the server to which rule: written from the tests' own titles, which begin with the ids of the rules
 * that they are about. `node test/conformance/coverage.mjs` writes docs/guide/conformance.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tests = 'test/conformance/contract';

/** The page, from the root. */
export const PAGE = 'docs/guide/conformance.md';

/** The rules that are held to over the wire, in a few words each. */
const RULES = {
  T1: "a task's data stands in its metadata, valid and with its defaults",
  T2: "the state is A2A's alone; nothing that is sent about it changes it",
  T3: 'participants have roles, ids of their own, and are at most 100',
  T4: 'a message names its sender; one who is known is stamped on it',
  T5: 'a stranger who is named in the message alone is told so, and nothing else',
  T6: "the agent's question stands in the status until it is answered",
  T7: 'an envelope that sets what the server controls is refused whole',
  T8: 'the server sets the lifecycle, commands set model and effort',
  T9: 'without a lifecycle, a task with a parent is delegated',
  T10: 'a plan is a graph without cycles, or refused by name',
  T11: 'tools check their input, and what they refuse changes nothing',
  E1: 'the card lists the five extensions',
  E2: 'what is activated is echoed',
  E3: 'what the card does not list is refused',
  E4: 'nothing needs to be activated to take effect',
  E5: 'a task that waits says why, in the task and in the update',
  E6: "participants talk in the channel; the agent's questions are answered there",
  E7: 'commands are answered at once and start no turn',
  E8: 'surfaces are artifacts, and actions on what was not shown are discarded',
  E9: 'who ignores every extension sees a plain A2A agent',
  E10: 'the schemas are published where their ids say, and the card is pinned',
  C1: 'a conversation is never completed by its agent',
  C2: 'a participant completes it with a control envelope',
  C3: 'complete is the only action, alone in its message',
  C4: 'nobody, strangers and watchers complete nothing',
  C5: 'a turn that is cut writes nothing afterwards',
  C6: 'an open sub-task refuses the completion by name',
  C7: 'what has ended takes nothing more, and says in which state it is',
  C8: 'cancelling has the same checks',
  C9: 'a published helper builds the completion',
  A1: 'every operation, over both bindings',
  A2: 'a task that the caller is not on does not exist',
  A3: 'two senders that differ, the agent and `anonymous` are refused',
  A4: 'events in order, none lost, none twice, also after a restart',
  A5: 'a message that comes again is the same message',
  A6: 'who asserts nobody is `anonymous`',
  A7: 'of several faults the first in the order is answered',
};

/**
 * The tests of each rule: their titles and their file.
 *
 * @returns {Map<string, { title: string, file: string }[]>}
 */
export function readCoverage() {
  /** @type {ReturnType<typeof readCoverage>} */
  const coverage = new Map(Object.keys(RULES).map((id) => [id, []]));
  for (const name of readdirSync(join(root, tests)).sort()) {
    if (!name.endsWith('.test.ts')) continue;
    const text = readFileSync(join(root, tests, name), 'utf8');
    for (const { ids, title } of readTitles(text)) {
      for (const id of ids) coverage.get(id)?.push({ title, file: `${tests}/${name}` });
    }
  }
  return coverage;
}

/**
 * Titles in a test file that begin with ids of rules, as in `'C6, T6: …'`.
 *
 * @param {string} text
 */
function* readTitles(text) {
  const pattern = /(["'`])((?:[TECA]\d+(?:, )?)+): ((?:(?!\1)[^\\\n]|\\.)+)\1/g;
  for (const [, , ids = '', title = ''] of text.matchAll(pattern)) {
    yield {
      ids: ids.split(', '),
      title: title.replaceAll(/\\(.)/g, '$1').replaceAll(/%[sj]/g, '…'),
    };
  }
}

/** The page as it should be. */
export function writePage() {
  const coverage = readCoverage();
  const sections = Object.entries(RULES).map(([id, words]) => {
    const found = coverage.get(id) ?? [];
    const lines = found.map(({ title, file }) => {
      const name = file.slice(file.lastIndexOf('/') + 1);
      return `- ${escape(title)} ([${name}](../../${file}))`;
    });
    return `## ${id}: ${words}\n\n${lines.join('\n')}\n`;
  });
  return `${HEAD}\n${sections.join('\n')}`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[\\`*_<>[\]$]/g, '\\$&');
}

const HEAD = `<!-- Written by test/conformance/coverage.mjs. Do not edit: change the tests and run it. -->

# Which test holds the server to which rule

Each test below runs over JSON-RPC and over HTTP+JSON, against a base URL and a small adapter that makes the server's
agent say, ask, wait, emit or fail (\`test/support/conformance-agent.ts\`). To point them at another server, write an
adapter for it and name it:

\`\`\`sh
CONFORMANCE_ADAPTER=/path/to/adapter.ts npx vitest run ${tests}
\`\`\`

\`test/properties/contract.test.ts\` does what these tests do in random order, with four participants at once, and compares
the task with a model of the rules after every step.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(root, PAGE), writePage());
}
