/**
 * The same schemas give the same bytes: twice, in whatever order files are found, with whatever line
 * ends they were checked out, whatever was rendered before.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readProject } from '../../codegen/index.ts';
import type { ProjectFiles } from '../support/projects.ts';
import { createProject, renderAll, repository } from '../support/projects.ts';
import { effort } from './effort.ts';
import { schemas } from './random-schemas.ts';

const own = readProject(repository);
const expected = renderAll(own);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function changeTexts(input: ProjectFiles, change: (text: string) => string): ProjectFiles {
  const files = [...input.files].map(
    ([path, bytes]) => [path, encoder.encode(change(decoder.decode(bytes)))] as const,
  );
  return { ...input, files: new Map(files) };
}

const toCrlf = (text: string): string => text.replaceAll(/\r?\n/g, '\r\n');
const withMark = (text: string): string => `\uFEFF${text}`;

/** Only JSON may begin with a byte order mark. */
function changeSchemas(input: ProjectFiles, change: (text: string) => string): ProjectFiles {
  const { files } = changeTexts(input, change);
  const kept = [...input.files].map(
    ([path, bytes]) => [path, path.endsWith('.json') ? files.get(path)! : bytes] as const,
  );
  return { ...input, files: new Map(kept) };
}

describe('rendering this contract', { timeout: 60_000 }, () => {
  it('gives the same bytes twice', () => {
    expect(renderAll(own)).toEqual(expected);
    expect([...renderAll(own).keys()]).toEqual([...expected.keys()]);
  });

  it('does not depend on the order in which files are found', () => {
    const orders = fc.shuffledSubarray([...own.files], { minLength: own.files.size });
    const property = fc.property(orders, (files) => {
      expect(renderAll({ ...own, files: new Map(files) })).toEqual(expected);
    });
    fc.assert(property, { numRuns: 10 * effort });
  });

  it('does not depend on line ends', () => {
    expect(renderAll(changeTexts(own, toCrlf))).toEqual(expected);
  });

  it('does not depend on byte order marks', () => {
    expect(renderAll(changeSchemas(own, withMark))).toEqual(expected);
  });

  it('does not depend on what was rendered before', () => {
    const property = fc.property(schemas, (schema) => {
      renderAll(createProject({ other: schema }));
      expect(renderAll(own)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 3 * effort });
  });
});

describe('rendering texts that are no Unicode', () => {
  it('gives what a file can hold', () => {
    const a = { description: 'half \ud83d of a character', type: 'string' };
    const odd = { 'half \ude00': a, toString: a };
    const other = { title: 'Other', type: 'object', additionalProperties: false, properties: odd };
    const files = renderAll(createProject({ other: { ...other, description: '\udc00' } }));
    for (const [path, text] of files) {
      expect(decoder.decode(encoder.encode(text)), path).toBe(text);
    }
    const code = files.get('generated/extensions/sample/v1/other.validator.js');
    expect(code).toContain('"half \\ude00"');
  });
});

describe('rendering any schemas', { timeout: 60_000 }, () => {
  it('gives the same bytes twice, in any order and from any checkout', () => {
    const property = fc.property(schemas, fc.nat(), (schema, turn) => {
      const input = createProject({ other: schema });
      const first = renderAll(input);
      const files = [...input.files];
      const place = turn % files.length;
      const turned = new Map([...files.slice(place), ...files.slice(0, place)]);
      expect(renderAll(changeTexts({ ...input, files: turned }, toCrlf))).toEqual(first);
    });
    fc.assert(property, { numRuns: 25 * effort });
  });
});
