/** The command line's options and the text of its help. */
import { parseArgs } from 'node:util';

/** What was asked for. */
export interface Options {
  readonly mode: 'write' | 'check' | 'lint' | 'watch';
  readonly output: 'text' | 'json' | 'github';
  readonly help: boolean;
}

/** The help text, examples first. */
export const HELP = `Usage: npm run codegen -- [options]

Turns the JSON Schemas under schemas/ into the published package (generated/) and its reference
pages (docs/). Without options it writes what changed.

Examples
  npm run codegen                       write what changed, say what
  npm run codegen:check                 change nothing; exit 1 when something would change
  npm run codegen:watch                 write again whenever a schema changes
  npm run schemas:lint                  only check the schemas
  npm run codegen -- --root ../acme     generate another project's contract, there

Options
  --check       compare only
  --lint        check the schemas only
  --watch       stay, and write after each change
  --root DIR    the project whose schemas/ is read and whose generated/ and docs/ are written
  --json        print one JSON object instead of text (npm run -s keeps npm's own words out)
  --github      print GitHub Actions annotations; the default there
  --no-cache    render everything, even when nothing changed since the last run
  --help        print this

Exit codes
  0  everything is up to date
  1  --check found generated files that are not what the schemas say
  2  the schemas are broken, something that was not generated is in the way, or the command is not
     understood; nothing was written
`;

/** Reads the options; throws an error with a message for a person when one is unknown. */
export function parseOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      check: { type: 'boolean' },
      lint: { type: 'boolean' },
      watch: { type: 'boolean' },
      root: { type: 'string' },
      json: { type: 'boolean' },
      github: { type: 'boolean' },
      // The launcher's: it decides whether this program runs at all.
      'no-cache': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const modes = (['check', 'lint', 'watch'] as const).filter((mode) => values[mode] === true);
  if (modes.length > 1) throw new Error(`--${modes.join(' and --')} exclude each other; name one`);
  const github = values.github ?? environment.GITHUB_ACTIONS === 'true';
  return {
    mode: modes[0] ?? 'write',
    output: values.json === true ? 'json' : github ? 'github' : 'text',
    help: values.help === true,
  };
}
