/** What the server is told by its environment and its command line, checked before anything starts. */
import { flagOf, SETTINGS } from './config/settings.ts';
import type { Setting } from './config/settings.ts';
import { nearest } from './config/nearest.ts';
import { checkTogether } from './config/together.ts';
import { usage } from './config/usage.ts';

type ValueOf<S> = S extends Setting<infer T> ? T : never;

type Values = {
  readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]>;
};

/**
 * The settings, checked. Durations end in `Ms` and are in milliseconds, `bodyLimit` is in bytes; what is unset is
 * undefined or an empty list. There is always a model that may be selected.
 */
export type Config = Omit<Values, 'models'> & { readonly models: readonly string[] };

/** What reading gives: the settings, the help that was asked for, or every fault as a line of its own. */
export type ConfigResult =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'errors'; readonly errors: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const ENTRIES: readonly (readonly [string, Setting<unknown>])[] = Object.entries(SETTINGS);
const BY_FLAG = new Map(ENTRIES.map(([, setting]) => [flagOf(setting), setting]));

/**
 * Reads the settings: a flag wins over an environment variable, which wins over the default; an empty variable is
 * an unset one. The config is frozen.
 *
 * @param argv the arguments after the program's name
 */
export function readConfig(env: Environment, argv: readonly string[]): ConfigResult {
  if (argv.includes('--help')) return { kind: 'help', text: usage() };
  const { given, errors } = readFlags(argv);
  const values = ENTRIES.map(([name, setting]) => {
    const { variable, fallback } = setting;
    const flag = given.get(setting);
    const source = flag === undefined ? variable : flagOf(setting);
    const text = flag ?? nonEmpty(env[variable]) ?? fallback;
    const value = text === undefined ? undefined : setting.kind.parse(text);
    if (text !== undefined && value === undefined) errors.push(faultOf(setting, source, text));
    return [name, value];
  });
  const read = Object.fromEntries(values) as Values;
  const config: Config = {
    ...read,
    models: read.models ?? Object.freeze([read.model ?? 'scripted']),
  };
  if (errors.length === 0) errors.push(...checkTogether(config));
  if (errors.length > 0) return { kind: 'errors', errors };
  return { kind: 'config', config: Object.freeze(config) };
}

interface Flags {
  readonly given: ReadonlyMap<Setting<unknown>, string>;
  readonly errors: string[];
}

/** Takes `--flag value` and `--flag=value`; a flag that means yes or no may stand alone. */
function readFlags(argv: readonly string[]): Flags {
  const given = new Map<Setting<unknown>, string>();
  const errors: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [, flag = word, inline] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const setting = BY_FLAG.get(flag);
    if (setting === undefined) {
      errors.push(unknownFlag(flag));
      // What follows is its value: naming that as well would not help.
      if (inline === undefined && argv[at + 1]?.startsWith('-') === false) at += 1;
      continue;
    }
    const next = argv[at + 1];
    const follows = next !== undefined && !next.startsWith('--');
    const value = inline ?? (follows ? next : setting.kind.bare);
    if (value === undefined) errors.push(`${flag} has no value; expected ${setting.kind.expected}`);
    else given.set(setting, value);
    if (inline === undefined && follows) at += 1;
  }
  return { given, errors };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function unknownFlag(flag: string): string {
  if (!flag.startsWith('-')) {
    // Most often npm has kept the flag before it to itself.
    return `${flag} is not a flag; flags begin with --, and npm needs a -- of its own before them: npm start -- --help`;
  }
  const guess = nearest(flag, [...BY_FLAG.keys(), '--help']);
  const advice = guess === undefined ? '--help lists them' : `did you mean ${guess}?`;
  return `${flag} is not a setting; ${advice}`;
}

function faultOf(setting: Setting<unknown>, source: string, text: string): string {
  const { kind, variable, fallback } = setting;
  const came = setting.secret === true ? `has ${text.length} characters` : `is "${text}"`;
  const otherwise =
    fallback === undefined ? 'leave it unset' : `leave it unset for ${fallback || 'none'}`;
  return `${source} ${came}: expected ${kind.expected}. Set ${variable} or ${flagOf(setting)} to that, or ${otherwise}.`;
}
