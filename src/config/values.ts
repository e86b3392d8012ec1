/** Kinds of setting values: how each is read from text, and the words for what it takes. */
import { isIP } from 'node:net';
import { isLoopback } from './loopback.ts';

/** A kind of value. */
export interface Kind<T> {
  /** What it takes, to go after "expected": `a whole number from 0 to 65535`. */
  readonly expected: string;
  /** The value, or undefined when the text is not one. */
  readonly parse: (text: string) => T | undefined;
  /** Whether the flag may stand without a value, and what it then means. */
  readonly bare?: string;
}

/** Any text that is not empty. */
export function text(expected = 'text'): Kind<string> {
  return { expected, parse: (value) => (value.trim() === '' ? undefined : value.trim()) };
}

/** The id of a participant (rule T3) that is somebody's: `anonymous` is nobody's. */
export function participantId(): Kind<string> {
  return {
    expected: 'a participant id of 1 to 256 characters other than "anonymous"',
    parse: (value) => {
      const usable = value.length > 0 && value.length <= 256 && value !== 'anonymous';
      return usable ? value : undefined;
    },
  };
}

/** A whole number within bounds. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Kind<number> {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  return {
    expected: `a whole number, ${bounds}`,
    parse: (value) => within(/^\d+$/.test(value) ? Number(value) : undefined, least, most),
  };
}

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1024, MiB: 1024 ** 2 };

/** A size; the value is in bytes. */
export function size(least: number, most: number): Kind<number> {
  return {
    expected: 'a size in bytes, or with a unit: 512KiB, 1MiB',
    parse: (value) => {
      const [, number, unit = ''] = /^(\d+)(KiB|MiB)?$/.exec(value) ?? [];
      return within(scale(number, SIZE_UNITS[unit]), least, most);
    },
  };
}

const TIME_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  '': 1000,
  s: 1000,
  m: 60_000,
};

/** A duration; the value is in milliseconds. Up to a day. */
export function duration(leastMs: number): Kind<number> {
  return {
    expected: 'a duration in seconds, or with a unit: 500ms, 15s, 2m',
    parse: (value) => {
      const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(value) ?? [];
      return within(scale(number, TIME_UNITS[unit]), leastMs, 86_400_000);
    },
  };
}

/** Yes or no. The flag alone means yes. */
export function flag(): Kind<boolean> {
  const words: Readonly<Record<string, boolean>> = {
    true: true,
    '1': true,
    on: true,
    false: false,
    '0': false,
    off: false,
  };
  return {
    expected: 'true or false',
    parse: (value) => words[value.toLowerCase()],
    bare: 'true',
  };
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): Kind<T> {
  return {
    expected: `one of ${words.join(', ')}`,
    parse: (value) => words.find((word) => word === value),
  };
}

/** At least so many values, with commas between them. */
export function list<T>(item: Kind<T>, expected: string, least = 0): Kind<readonly T[]> {
  return {
    expected,
    parse: (value) => {
      const words = value.split(',').map((word) => word.trim());
      const items = words.filter((word) => word !== '').map((word) => item.parse(word));
      const usable = items.length >= least && items.every((parsed) => parsed !== undefined);
      return usable ? Object.freeze(items) : undefined;
    },
  };
}

/** An absolute http or https URL without credentials, query and fragment; the value has no slash at its end. */
export function baseUrl(): Kind<string> {
  return {
    expected: 'an absolute http or https URL such as https://agent.example.com',
    parse: (value) => {
      if (!URL.canParse(value)) return undefined;
      const { protocol, username, password, search, hash, href } = new URL(value);
      const usable = /^https?:$/.test(protocol) && username + password + search + hash === '';
      return usable ? href.replace(/\/+$/, '') : undefined;
    },
  };
}

/** A URL whose answers can be trusted: https, or http to this machine. The value is as it was written. */
export function secureUrl(): Kind<string> {
  return {
    expected: 'an https URL such as https://id.example.com (http to this machine alone)',
    parse: (value) => (isSecureUrl(value) ? value : undefined),
  };
}

/** Whether nobody on the way can change what is at the URL. */
export function isSecureUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  if (username !== '' || password !== '' || hash !== '') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(host));
}

/** An IP address, or a range of them in CIDR notation. */
export function addressRange(): Kind<string> {
  return {
    expected: 'an IP address or CIDR range such as 10.0.0.0/8',
    parse: (value) => {
      const [, address = '', prefix] = /^([\da-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
      const family = isIP(address);
      if (family === 0 || Number(prefix ?? 0) > (family === 4 ? 32 : 128)) return undefined;
      return value;
    },
  };
}

/** An origin as browsers send it, or `*` for every one. */
export function origin(): Kind<string> {
  return {
    expected: 'an origin such as https://app.example.com',
    parse: (value) => {
      if (value === '*') return value;
      return URL.canParse(value) && new URL(value).origin === value ? value : undefined;
    },
  };
}

/** Thirty-two bytes, as 64 hexadecimal digits or as base64. */
export function secretKey(): Kind<Buffer> {
  return {
    expected: '32 bytes as 64 hexadecimal digits or as base64, such as from `openssl rand -hex 32`',
    parse: (value) => {
      const encoding = /^[\da-fA-F]{64}$/.test(value) ? 'hex' : 'base64';
      const bytes = Buffer.from(value, encoding);
      return bytes.length === 32 && /^[\w+/=-]+$/.test(value) ? bytes : undefined;
    },
  };
}

function scale(number: string | undefined, unit: number | undefined): number | undefined {
  return number === undefined || unit === undefined ? undefined : Number(number) * unit;
}

function within(value: number | undefined, least: number, most: number): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined;
}
