/** What stands in a `SKILL.md`. It brings a YAML parser along, so it is imported only once there is a skill. */
import { parseSkillFrontMatter } from '@tiny-harness/contract/skill';
import type { Fault, PlacedFault } from '../yaml/faults.ts';
import { formatFaults, readPointer } from '../yaml/faults.ts';
import { readYaml } from '../yaml/source.ts';
import type { Skill } from './port.ts';

/** The most characters between the two lines of three dashes. */
const MAX_FRONT_MATTER = 16 * 1024;

/** How many faults are listed of one file. */
const MAX_FAULTS = 10;

/** A skill, or every fault of its file: a line each with its place, and what to do. */
export type SkillReading = Skill | { readonly reason: string };

/**
 * Reads the text of a `SKILL.md` in the Agent Skills format.
 *
 * @param directory the name of the directory that it is in, which must be the skill's
 */
export function readSkill(text: string, directory: string): SkillReading {
  const refuse = (faults: readonly PlacedFault[]): SkillReading => ({
    reason: formatFaults(`${directory}/SKILL.md`, faults, MAX_FAULTS),
  });
  const parts = split(text.replaceAll('\r\n', '\n'));
  if ('message' in parts) return refuse([{ ...parts, path: [], line: 1, column: 1 }]);
  // The line end in front stands for the line of dashes, so that faults are shown where they are in the file.
  const source = readYaml(`\n${parts.frontMatter}`, 'texts');
  if (source.faults.length > 0)
    return refuse(source.faults.map((fault) => ({ path: [], ...fault })));
  const locate = (fault: Fault): PlacedFault => ({
    ...fault,
    ...source.locate(fault.path, fault.atKey),
  });
  const parsed = parseSkillFrontMatter(source.value);
  if (!parsed.ok) return refuse(parsed.errors.map(explain).map(locate));
  const { name, description } = parsed.value;
  if (name !== directory) return refuse([misnamed(name, directory)].map(locate));
  // Where skills are listed, each has one line.
  return {
    name,
    description: description.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(),
    body: parts.body,
  };
}

interface Parts {
  readonly frontMatter: string;
  readonly body: string;
}

function split(text: string): Parts | Pick<Fault, 'message' | 'hint'> {
  const [opening] = /^---[ \t]*(?:\n|$)/.exec(text) ?? [];
  if (opening === undefined) {
    const message = 'the front matter is missing: the first line must be three dashes';
    return {
      message,
      hint: 'Begin with "---", "name: …", "description: …" and "---", a line each.',
    };
  }
  const fence = /^---[ \t]*$/gm;
  fence.lastIndex = opening.length;
  const closing = fence.exec(text);
  if (closing === null) {
    const message = 'the front matter has no end: no second line is three dashes';
    return { message, hint: 'Put a line of three dashes before the instructions.' };
  }
  const frontMatter = text.slice(opening.length, closing.index);
  if (frontMatter.length > MAX_FRONT_MATTER) {
    const message = `the front matter is longer than ${MAX_FRONT_MATTER} characters`;
    return { message, hint: 'What an agent is to read belongs below it.' };
  }
  return { frontMatter, body: text.slice(fence.lastIndex).trim() };
}

function misnamed(name: string, directory: string): Fault {
  return {
    path: ['name'],
    message: `name must be that of the skill's directory, "${directory}"; got "${name}"`,
    hint: 'Rename one of the two.',
  };
}

type Violation = Extract<
  ReturnType<typeof parseSkillFrontMatter>,
  { readonly ok: false }
>['errors'][number];

function explain({ path: pointer, message, keyword, schemaPath }: Violation): Fault {
  const hint = HINTS.find(([end]) => schemaPath.endsWith(end))?.[1];
  const fault = { path: readPointer(pointer), atKey: keyword === 'additionalProperties', message };
  return hint === undefined ? fault : { ...fault, hint };
}

/** What to do about faults whose message only says what the schema asks for. */
const HINTS: readonly (readonly [string, string])[] = [
  ['#/type', 'Write "name: …" and "description: …", a line each.'],
  ['#/additionalProperties', 'What is your own stands under "metadata".'],
  ['/name/pattern', 'Lower-case letters and digits, with single hyphens between them.'],
  ['/metadata/type', 'Indent what belongs under it, or leave it out.'],
  ['/metadata/additionalProperties/type', 'Each name under "metadata" has one text.'],
  ['/allowed-tools/type', 'Write the names in one line, with spaces between them.'],
];
