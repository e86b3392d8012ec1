/** UNKNOWN_FORMAT: every `format` is one that tools know. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { getOwn, isObject } from '../json.ts';
import { nearestName } from '../names.ts';
import type { Rule } from './rule.ts';
import { report, walkOwn } from './walk.ts';

/** The formats of 2020-12 that no validator of the field checks, beside those that they do. */
const UNCHECKED = ['idn-email', 'idn-hostname', 'iri', 'iri-reference'];
const KNOWN = [...Object.keys(fullFormats), ...UNCHECKED];

/** A format is an annotation: nothing refuses a value for it, and so nothing notices a misspelt one. */
export const unknownFormat: Rule = {
  id: 'UNKNOWN_FORMAT',
  purpose:
    'Every `format` is one that validators and code generators know, or begins with `x-`. It only annotates, so nothing would ever show that it is misspelt.',
  check: (context) =>
    walkOwn(context).flatMap((visit) => {
      const format = isObject(visit.schema) ? getOwn(visit.schema, 'format') : undefined;
      if (typeof format !== 'string' || KNOWN.includes(format) || format.startsWith('x-'))
        return [];
      const near = nearestName(format, KNOWN);
      const hint =
        near === undefined ? `Known formats: ${KNOWN.join(', ')}.` : `Did you mean "${near}"?`;
      const message = `${JSON.stringify(format)} is no format that tools know`;
      return [report(unknownFormat.id, visit.at, ['format'], message, { hint })];
    }),
};
