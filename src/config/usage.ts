/** The text of `--help`. */
import { flagOf, SETTINGS } from './settings.ts';
import type { Setting } from './settings.ts';

/** Says what can be set, how and what the defaults are; ends with a line break. */
export function usage(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  return [
    'Usage: npm start -- [--flag value]...',
    '',
    'Starts the agent. Each setting is an environment variable and a flag; the flag wins.',
    'Durations are in seconds unless they carry a unit: 15, 15s, 500ms, 2m.',
    '',
    ...settings.map(describe),
    '  --help\n      Prints this text.',
    '',
  ].join('\n');
}

function describe(setting: Setting<unknown>): string {
  const { variable, kind, fallback, help } = setting;
  const standard = fallback === undefined ? 'unset' : fallback || 'none';
  return `  ${flagOf(setting)}, ${variable}\n      ${help}\n      Takes ${kind.expected}. Default: ${standard}.`;
}
