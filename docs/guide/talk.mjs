// A client for the pages of this guide: says something to an agent, and prints in short what comes of it.
//
//   node docs/guide/talk.mjs alice 'Hello'                     starts a task
//   node docs/guide/talk.mjs alice 'And again' $task           goes on with it
//   node docs/guide/talk.mjs alice --press 'order ok' $task    presses the button "ok" on the surface "order"
//   node docs/guide/talk.mjs alice --complete $task            completes the task
//   node docs/guide/talk.mjs alice --until 'Done.' $task       waits until the agent says this
//   node docs/guide/talk.mjs alice --show $task                shows plan, sub-tasks and artifacts as they are now
import { createUiEventPart, readUiMessage, URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import {
  completeMessage,
  createMessage,
  createTextMessage,
  readTaskExtension,
} from '@tiny-harness/contract/client';

const base = process.env.AGENT_URL ?? 'http://127.0.0.1:4180';
const [participantId, ...rest] = process.argv.slice(2);
if (rest.length === 0) giveUp("say something: node docs/guide/talk.mjs alice 'Hello'");
const flag = rest[0].startsWith('--') ? rest.shift() : undefined;
const words = ['--complete', '--show'].includes(flag) ? '' : rest.shift();
const [taskId] = rest;

switch (flag) {
  case '--show':
    show(await (await call('GET', `tasks/${taskId}`)).json());
    break;
  case '--until':
    for await (const event of readEvents(await call('POST', `tasks/${taskId}:subscribe`, {}))) {
      if (!textOf(event).includes(words)) continue;
      print(event);
      break;
    }
    break;
  default:
    for await (const event of readEvents(
      await call('POST', 'message:stream', { message: toMessage() }),
    )) {
      if (event.task === undefined) print(event);
      else if (taskId === undefined) console.log(`task ${event.task.id}`);
    }
}

function toMessage() {
  const options = { participantId, taskId };
  if (flag === '--complete') return completeMessage(taskId, { participantId });
  if (flag !== '--press') return createTextMessage(words, options);
  const [surfaceId, sourceComponentId] = words.split(' ');
  const timestamp = new Date().toISOString();
  const action = { name: sourceComponentId, surfaceId, sourceComponentId, timestamp, context: {} };
  return createMessage([createUiEventPart({ version: 'v0.9.1', action })], options);
}

async function call(method, path, body) {
  const request = {
    method,
    headers: {
      'A2A-Version': '1.0',
      'A2A-Extensions': A2UI,
      'Content-Type': 'application/json',
      'X-Participant-Id': participantId,
    },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${base}/${path}`, request).catch(() =>
    giveUp(`nothing answers at ${base}; start a server there, or set AGENT_URL`),
  );
  if (response.ok) return response;
  const { error } = await response.json();
  return giveUp(error.message);
}

function giveUp(reason) {
  console.error(reason);
  process.exit(1);
}

async function* readEvents({ body }) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n');
    text = lines.pop();
    for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
  }
}

/** What is said with an event. */
function textOf({ task, statusUpdate }) {
  const { message } = (task ?? statusUpdate)?.status ?? {};
  return message?.parts[0].text ?? '';
}

function print(event) {
  const { task, statusUpdate, artifactUpdate } = event;
  const { state } = (task ?? statusUpdate)?.status ?? {};
  if (textOf(event) !== '') console.log(`${state.slice('TASK_STATE_'.length)}: ${textOf(event)}`);
  if (artifactUpdate !== undefined) printArtifact(artifactUpdate.artifact);
}

function printArtifact({ name, artifactId, parts }) {
  for (const part of parts) {
    const shown = readUiMessage(part)?.value;
    console.log(
      shown === undefined ? `artifact ${name ?? artifactId}: ${part.text}` : describe(shown),
    );
  }
}

/** What a client that shows A2UI would draw. */
function describe({ createSurface, updateComponents }) {
  if (createSurface !== undefined) return `surface ${createSurface.surfaceId}`;
  const texts = updateComponents?.components.filter(({ component }) => component === 'Text') ?? [];
  return `  ${texts.map(({ text }) => text).join(' | ')}`;
}

function show(task) {
  const { plan, sub_tasks: children } = readTaskExtension(task).value;
  for (const { id, state, output } of plan?.steps ?? []) {
    console.log(`step ${id} ${state}${output === null ? '' : `: ${output}`}`);
  }
  for (const { task_id: id, state } of children) console.log(`sub-task ${id} ${state}`);
  for (const artifact of task.artifacts ?? []) printArtifact(artifact);
}
