/**
 * What a component's values must be beyond their schema: addresses that are safe to open, pointers that lead somewhere,
 * patterns that compile, calls of functions that the catalog has. The schemas do not mark which strings are URLs or
 * patterns; the tables here name them, and the compiler holds their keys to the contract.
 */
import type {
  AnyComponent,
  FunctionCall,
  TextField,
  Theme,
} from '@tiny-harness/contract/a2ui/v0.9.1';
import type { SurfaceComponent } from '../../core/surface.ts';
import { FUNCTION_NAMES } from './catalog.ts';
import { quote } from './faults.ts';
import { isObject } from '../../core/json.ts';
import { UI_LIMITS } from './limits.ts';

/** Something wrong in a component, and where. */
export interface ValueFault {
  /** Names from the component inward: `checks/0/condition/args/pattern`. */
  readonly property: string;
  readonly what: string;
}

/** What was found in a component. */
export interface Inspection {
  readonly faults: readonly ValueFault[];
  /** The places of paths that need a list's entry to start from. */
  readonly relative: readonly ValueFault[];
}

type Media = Extract<AnyComponent, { url: unknown }>['component'];
type Call<Name> = Extract<FunctionCall, { call: Name }>;

/** The components that show what is at their `url`, and the data that may stand there instead of an address. */
const MEDIA = {
  Image: 'data:image/',
  Video: 'data:video/',
  AudioPlayer: 'data:audio/',
} satisfies Record<Media, string>;

const PATTERN: keyof TextField = 'validationRegexp';
const REGEX: Call<'regex'>['call'] = 'regex';
const FORMAT: Call<'formatString'>['call'] = 'formatString';
const OPEN: Call<'openUrl'>['call'] = 'openUrl';
const ICON: keyof Theme = 'iconUrl';

/** Members that a client refuses to go through, since they lead out of the data. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** A function's name, or a path, where an expression begins inside a text. `\${` is text. */
const EXPRESSION = /(?<!\\)\$\{\s*(?:([\w./-]+)\s*\(|([^\s(){}'"$]+)\s*\})/g;

/** What in an expression is a literal and no path. */
const LITERAL = /^(?:\d.*|true|false|null)$/;

/** Looks at all values of a valid component. */
export function inspectComponent(component: SurfaceComponent): Inspection {
  const found: Found = { faults: [], relative: [] };
  const media = Object.entries(MEDIA).find(([type]) => type === component.component)?.[1];
  if (media !== undefined) checkUrl(component.url, 'url', media, found);
  checkPattern(component[PATTERN], PATTERN, found);
  for (const [name, value] of Object.entries(component)) inspect(value, name, found);
  return found;
}

/** What is wrong with a surface's theme. */
export function inspectTheme(theme: Theme | undefined): readonly ValueFault[] {
  const found: Found = { faults: [], relative: [] };
  checkUrl(theme?.[ICON], `theme/${ICON}`, MEDIA.Image, found);
  return found.faults;
}

/** What is wrong with the place that a change of the data model names; it starts from the whole. */
export function findPlaceFault(path: string): string | undefined {
  return findPointerFault(path) ?? (isRelative(path) ? relativeFault(path) : undefined);
}

interface Found {
  readonly faults: ValueFault[];
  readonly relative: ValueFault[];
}

/** More than are told are not kept: a text may hold a hundred thousand. */
function report(list: ValueFault[], property: string, what: string): void {
  if (list.length <= UI_LIMITS.faults) list.push({ property, what });
}

function inspect(value: unknown, at: string, found: Found): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inspect(item, `${at}/${index}`, found);
  } else if (isObject(value)) {
    const { call, path, args } = value;
    if (typeof call === 'string') checkCall(call, args, at, found);
    if (typeof path === 'string') checkPath(path, `${at}/path`, found);
    for (const [name, member] of Object.entries(value)) inspect(member, `${at}/${name}`, found);
  }
}

/** Clients take an object with a `call` for one wherever it stands, also where its schema does not look. */
function checkCall(name: string, args: unknown, at: string, found: Found): void {
  requireFunction(name, `${at}/call`, found);
  if (!isObject(args)) return;
  if (name === REGEX) checkPattern(args.pattern, `${at}/args/pattern`, found);
  if (name === OPEN) checkUrl(args.url, `${at}/args/url`, undefined, found);
  if (name === FORMAT) checkExpressions(args.value, `${at}/args/value`, found);
}

function requireFunction(name: string, property: string, found: Found, verb = 'be'): void {
  if (FUNCTION_NAMES.includes(name)) return;
  const what = `must ${verb} one of ${FUNCTION_NAMES.join(', ')}; got ${quote(name)}`;
  report(found.faults, property, what);
}

function checkExpressions(text: unknown, property: string, found: Found): void {
  if (typeof text !== 'string') return;
  for (const [, name, path] of text.matchAll(EXPRESSION)) {
    if (name !== undefined) requireFunction(name, property, found, 'call');
    else if (path !== undefined && !LITERAL.test(path)) checkPath(path, property, found);
  }
}

function checkPath(path: string, property: string, found: Found): void {
  const what = findPointerFault(path);
  if (what !== undefined) report(found.faults, property, what);
  else if (isRelative(path)) report(found.relative, property, relativeFault(path));
}

/** RFC 6901, and paths without the leading slash. */
function findPointerFault(path: string): string | undefined {
  if (/~(?![01])/.test(path))
    return `must be a JSON pointer, in which ~ is written ~0; got ${quote(path)}`;
  const forbidden = path.split('/').find((segment) => FORBIDDEN.includes(segment));
  return forbidden === undefined
    ? undefined
    : `must not lead through ${quote(forbidden)}, which clients refuse; got ${quote(path)}`;
}

function isRelative(path: string): boolean {
  return path !== '' && !path.startsWith('/');
}

function relativeFault(path: string): string {
  return `must be an absolute path outside a template: ${quote(`/${path}`)} instead of ${quote(path)}`;
}

/** A pattern has to compile as the client compiles it. */
function checkPattern(pattern: unknown, property: string, found: Found): void {
  if (typeof pattern !== 'string') return;
  if (pattern.length > UI_LIMITS.pattern) {
    const what = `must have at most ${UI_LIMITS.pattern} characters; got ${pattern.length}`;
    report(found.faults, property, what);
    return;
  }
  try {
    new RegExp(pattern);
  } catch {
    report(found.faults, property, `must be a regular expression; got ${quote(pattern)}`);
  }
}

/**
 * Only addresses of the web, and for media data of their own kind: `javascript:` and the like run code on the client.
 * An address that comes from the data model is the client's to judge.
 */
function checkUrl(url: unknown, property: string, data: string | undefined, found: Found): void {
  if (typeof url !== 'string') return;
  const parsed = URL.parse(url);
  const isData = data !== undefined && parsed?.href.startsWith(data) === true;
  if (isData || parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return;
  const alternative = data === undefined ? '' : `, or ${data}…`;
  const what = `must be a URL that begins with https:// or http://${alternative}; got ${quote(url)}`;
  report(found.faults, property, what);
}
