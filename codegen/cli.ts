/** The command line: arguments in, report and exit code out. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from './arguments.ts';
import { HELP, parseOptions } from './arguments.ts';
import type { Screen } from './report.ts';
import { cleanLine, report } from './report.ts';
import type { Outcome } from './run.ts';
import { runLint, runProject } from './run.ts';
import type { Precompiled } from './templates.ts';
import { createTemplates, readRuntime } from './templates.ts';
import { watchSchemas } from './watch.ts';

/** Where the generator lives, and the project that it works on. */
interface Folders {
  readonly home: string;
  readonly root: string;
  /** The generator's templates, when the launcher has compiled them already. */
  readonly templates?: Precompiled;
}

/** How the process ends; `clean` lets the launcher skip the next run while nothing changes. */
interface Exit {
  readonly exitCode: number;
  readonly clean?: { readonly inputs: readonly string[]; readonly summary: string };
}

/** Runs the command line. */
export async function main(argv: readonly string[], folders: Folders): Promise<Exit> {
  const screen = processScreen();
  let options: Options;
  try {
    options = parseOptions(argv, process.env);
  } catch (error) {
    screen.error(
      `${error instanceof Error ? error.message : String(error)}\nSee npm run codegen -- --help\n`,
    );
    return { exitCode: 2 };
  }
  if (options.help) {
    screen.out(HELP);
    return { exitCode: 0 };
  }
  if (!existsSync(join(folders.root, 'schemas'))) {
    screen.error(
      `there is no schemas/ in ${folders.root}; name the project's folder with --root\n`,
    );
    return { exitCode: 2 };
  }
  const outcome = runOnce(options, folders, screen);
  if (options.mode === 'watch') await keepRunning(options, folders, screen);
  return toExit(outcome, options);
}

/** Undefined when the file system refused something: a person is told what. */
function runOnce(options: Options, folders: Folders, screen: Screen): Outcome | undefined {
  const { root } = folders;
  try {
    const outcome =
      options.mode === 'lint'
        ? runLint(root)
        : runProject(root, loadContext(folders), options.mode !== 'check');
    report(outcome, options, screen);
    return outcome;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    screen.error(`${error.message}\n`);
    return undefined;
  }
}

function loadContext({ home, templates }: Folders): Parameters<typeof runProject>[1] {
  return {
    templates: createTemplates(join(home, 'templates'), templates),
    runtime: readRuntime(join(home, 'codegen', 'runtime')),
  };
}

async function keepRunning(options: Options, folders: Folders, screen: Screen): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  const ended = watchSchemas(folders.root, stop.signal, () => {
    runOnce(options, folders, screen);
  });
  screen.out('watching schemas/; Ctrl+C ends\n');
  await ended;
}

function toExit(outcome: Outcome | undefined, { mode }: Options): Exit {
  if (mode === 'watch') return { exitCode: 0 };
  if (outcome === undefined || outcome.status === 'broken') return { exitCode: 2 };
  if (mode === 'check' && outcome.status !== 'clean') return { exitCode: 1 };
  if (outcome.status === 'refused') return { exitCode: 2 };
  const kept = outcome.changes.some(({ kind }) => kind === 'edited-orphan');
  if (mode === 'lint' || kept) return { exitCode: 0 };
  return { exitCode: 0, clean: { inputs: outcome.inputs, summary: cleanLine(outcome) } };
}

function processScreen(): Screen {
  const coloured = process.env.NO_COLOR === undefined;
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    terminal: process.stdout.isTTY && coloured,
    errorTerminal: process.stderr.isTTY && coloured,
  };
}
