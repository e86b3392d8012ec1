/** What is wrong with calls of tools in a scenario, as far as it is known before they are made. */
import type { Step, ToolStep } from '@tiny-harness/contract/scenario';
import type { ToolName } from '@tiny-harness/contract/tools';
import { parseToolInput } from '@tiny-harness/contract/tools';
import type { Fault, Path } from '../../yaml/faults.ts';
import { readPointer } from '../../yaml/faults.ts';
import { hasPlaceholder } from './heard.ts';
import { isAsking } from './script.ts';

/** Every fault of a call: an unknown tool, arguments that it would refuse, an answer where nobody is asked. */
export function checkTool(step: ToolStep, path: Path): readonly Fault[] {
  const { name, input = {}, then } = step;
  // Where it is no tool's name, the parser says so.
  const parsed = parseToolInput(name as ToolName, input);
  const errors = parsed.ok ? [] : parsed.errors;
  const faults = errors.flatMap(({ path: pointer, message, keyword }): readonly Fault[] => {
    if (keyword === 'tool') return [{ path: [...path, 'name'], message }];
    const place = readPointer(pointer);
    if (isOpen(input, place)) return [];
    return [{ path: [...path, 'input', ...place], atKey: keyword === NOT_KNOWN, message }];
  });
  if (then === undefined || isAsking(step)) return faults;
  const message = `"then" is played with an answer, and ${name} asks nobody`;
  const hint = 'Write the steps that follow behind this one.';
  return [...faults, { path: [...path, 'then'], atKey: true, message, hint }];
}

/** The texts of a step's call or surface in which something is put in, and where they stand. */
export function textsOfTool({ tool, ui }: Step): readonly (readonly [Path, string])[] {
  return [...listTexts(tool?.input, ['tool', 'input']), ...listTexts(ui, ['ui'])];
}

const NOT_KNOWN = 'additionalProperties';

/** Whether the value in question is not known before something is put into it. */
function isOpen(input: unknown, path: Path): boolean {
  const value = path.reduce<unknown>(
    (at, name) => (at as Partial<Record<string, unknown>>)[name],
    input,
  );
  return typeof value === 'string' && hasPlaceholder(value);
}

function listTexts(value: unknown, path: Path): readonly (readonly [Path, string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => listTexts(member, [...path, name]));
}
