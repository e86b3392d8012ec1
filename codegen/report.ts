/** What a run says: a table on a terminal, a line in a pipe, JSON, or GitHub annotations. */
import { styleText } from 'node:util';
import { formatAnnotation, formatDiagnostic } from './diagnostics.ts';
import type { Options } from './arguments.ts';
import type { Outcome } from './run.ts';
import type { Change } from './write.ts';
import { isObstacle } from './write.ts';

/** Where text goes, and whether a person is looking. */
export interface Screen {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  readonly terminal: boolean;
  /** Whether a person sees what goes to `error`. */
  readonly errorTerminal: boolean;
}

/** Reports an outcome in the form that was asked for. */
export function report(outcome: Outcome, options: Options, screen: Screen): void {
  if (options.output === 'json') screen.out(`${toJson(outcome, options)}\n`);
  else if (outcome.status === 'broken') reportBroken(outcome, options, screen);
  else if (options.mode === 'lint') screen.out(`the schemas are in order (${time(outcome)})\n`);
  else if (options.mode === 'check') reportCheck(outcome, options, screen);
  else if (outcome.status === 'refused') reportRefused(outcome, options, screen);
  else reportWritten(outcome, options, screen);
}

/** The one line for a project that is up to date. */
export function cleanLine({ files }: Outcome): string {
  return `up to date: ${count(files.length, 'file')}`;
}

function reportBroken({ diagnostics }: Outcome, options: Options, screen: Screen): void {
  const format = options.output === 'github' ? formatAnnotation : formatDiagnostic;
  screen.error(diagnostics.map((each) => `${format(each)}\n`).join(''));
  const end = options.mode === 'lint' ? '' : '; nothing was written';
  screen.error(paintError(screen, `${count(diagnostics.length, 'problem')}${end}\n`));
}

function reportCheck(outcome: Outcome, options: Options, screen: Screen): void {
  const { changes } = outcome;
  if (changes.length === 0) {
    screen.out(`${cleanLine(outcome)} (${time(outcome)})\n`);
    return;
  }
  const format = options.output === 'github' ? annotateChange : describeChange;
  screen.error(changes.map((change) => `${format(change)}\n`).join(''));
  const files = `${count(changes.length, 'file')} ${changes.length === 1 ? 'is' : 'are'}`;
  const written = changes.some(({ kind }) => ADVICE[kind] === undefined);
  const advice = written ? 'run codegen and commit what it writes' : 'move or remove them by hand';
  screen.error(paintError(screen, `${files} not what the schemas say: ${advice}\n`));
}

function reportRefused({ changes }: Outcome, options: Options, screen: Screen): void {
  const obstacles = changes.filter(isObstacle);
  const format = options.output === 'github' ? annotateChange : describeChange;
  screen.error(obstacles.map((change) => `${format(change)}\n`).join(''));
  const what = `${count(obstacles.length, 'file')} in the way; nothing was written`;
  screen.error(paintError(screen, `${what}\n`));
}

function reportWritten(outcome: Outcome, options: Options, screen: Screen): void {
  const { changes } = outcome;
  const written = changes.filter(({ kind }) => ADVICE[kind] === undefined).length;
  for (const change of changes) screen.out(`${markChange(change, screen)}\n`);
  if (screen.terminal && options.mode !== 'watch') screen.out(table(outcome, screen));
  else if (written === 0) screen.out(`${cleanLine(outcome)} (${time(outcome)})\n`);
  else screen.out(`${count(written, 'file')} changed (${time(outcome)})\n`);
}

const MARKS: Readonly<Record<Change['kind'], string>> = {
  missing: '+',
  stale: '~',
  foreign: '!',
  outside: '!',
  orphaned: '-',
  'edited-orphan': '!',
};

/** What a person has to do where codegen does nothing. */
const ADVICE: Readonly<Partial<Record<Change['kind'], string>>> = {
  'edited-orphan': ' is not generated (any more) and not as it was generated: move or remove it',
  foreign: ' would be overwritten, and nobody generated it: move or remove it',
  outside: ' would be written outside the project, because a folder is a link: remove the link',
};

function markChange({ kind, path, line }: Change, screen: Screen): string {
  const place = line === undefined ? path : `${path}:${String(line)}`;
  const colour = kind === 'missing' ? 'green' : kind === 'stale' ? 'yellow' : 'red';
  return paint(screen, colour, `${MARKS[kind]} ${place}${ADVICE[kind] ?? ''}`);
}

function describeChange({ kind, path, line, found, expected }: Change): string {
  if (kind === 'missing') return `${path}: missing`;
  if (kind === 'orphaned') return `${path}: orphaned; no schema produces it any more`;
  const advice = ADVICE[kind];
  if (advice !== undefined) return `${path}${advice}`;
  const rows = [
    `${path}:${String(line ?? 1)}: stale`,
    `    found     ${cut(found)}`,
    `    expected  ${cut(expected)}`,
  ];
  return rows.join('\n');
}

function annotateChange(change: Change): string {
  const { path, line } = change;
  const [head = '', ...rest] = describeChange(change).split('\n');
  const lines = [head.replace(/^\S+: /, ''), ...rest].map((text) => text.trim());
  const text = lines.join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
  return `::error file=${path},line=${String(line ?? 1)},title=drift::${text}`;
}

function cut(text = ''): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** What was made of what, and how much of it changed. */
function table({ model, files, changes, duration }: Outcome, screen: Screen): string {
  const extensions = (model?.extensions ?? []).map(({ name, version }) => `${name} ${version}`);
  const sets = (model?.sets ?? []).map(({ folder, set }): [string, string] => [folder, set.title]);
  const notes: readonly (readonly [string, string])[] = [
    ['extensions', extensions.join(', ')],
    ...sets,
    ['tools', count(model?.tools.length ?? 0, 'tool')],
    ['schemas', ''],
    ['runtime', ''],
    ['package', model?.config.name ?? ''],
    ['docs', ''],
  ];
  const changed = changes.map(({ path }) => path);
  const inside = (paths: readonly string[], what: string): number =>
    paths.filter((path) => roomOf(path) === what).length;
  const lines = notes.map(([what, note]) =>
    row(what, inside(files, what), inside(changed, what), note, screen),
  );
  const total = row('all files', files.length, changes.length, `${duration.toFixed(0)} ms`, screen);
  return [row('', 'files', 'changed', '', screen), ...lines, total].join('');
}

/** The row of the table that counts a file. */
function roomOf(path: string): string {
  const [top, room = '', inside] = path.split('/');
  if (top === 'docs') return 'docs';
  return inside === undefined ? 'package' : room;
}

function row(
  what: string,
  files: string | number,
  changed: string | number,
  note: string,
  screen: Screen,
): string {
  const cells = `${what.padEnd(12)}${String(files).padStart(6)}${String(changed).padStart(9)}`;
  return `${cells}   ${paint(screen, 'dim', note)}`.trimEnd() + '\n';
}

function toJson(
  { status, diagnostics, changes, files, duration }: Outcome,
  { mode }: Options,
): string {
  const ms = Math.round(duration);
  return JSON.stringify({ mode, status, files: files.length, changes, diagnostics, ms });
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function time({ duration }: Outcome): string {
  return `${duration.toFixed(0)} ms`;
}

function paint(screen: Screen, colour: Parameters<typeof styleText>[0], text: string): string {
  return screen.terminal && text !== '' ? styleText(colour, text) : text;
}

function paintError(screen: Screen, text: string): string {
  return screen.errorTerminal ? styleText('red', text) : text;
}
