/** What the strict modes of model APIs understand, as their documentation lists it. */
import type { StrictDialect } from './strict-schema.ts';

const OPENAI_KEYWORDS = new Set([
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

const FORMATS = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
];
const OPENAI_FORMATS = new Set<unknown>(FORMATS);
const ANTHROPIC_FORMATS = new Set<unknown>([...FORMATS, 'uri']);

/**
 * OpenAI's Structured Outputs: all properties required, nothing but `anyOf` to combine schemas. The
 * length of strings is not among the constraints that are documented, and compatible servers refuse
 * it, so it is said in words.
 */
export const OPENAI_STRICT: StrictDialect = {
  requiresAll: true,
  recursion: true,
  enforces: (keyword, value) =>
    OPENAI_KEYWORDS.has(keyword) || (keyword === 'format' && OPENAI_FORMATS.has(value)),
};

/**
 * Anthropic's strict tool use: properties may stay optional, schemas may not be recursive, and of the
 * constraints only a first item can be asked for.
 */
export const ANTHROPIC_STRICT: StrictDialect = {
  requiresAll: false,
  recursion: false,
  enforces: (keyword, value) =>
    (keyword === 'minItems' && (value === 0 || value === 1)) ||
    (keyword === 'format' && ANTHROPIC_FORMATS.has(value)),
};
