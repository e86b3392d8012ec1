/** Reading text out of a directory that others fill: only what is inside it, plain, text, and not too much. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { SkillFaultCode } from './port.ts';

/** Why a path is not read. */
export interface PathFault {
  readonly code: Extract<
    SkillFaultCode,
    'skill.outside' | 'skill.too_large' | 'skill.binary' | 'skill.unreadable'
  >;
  /** What is wrong, to follow the path's name, such as "is no plain file". */
  readonly what: string;
  /** What whoever put it there can do. */
  readonly advice: string;
  /** There is nothing at the path. */
  readonly missing?: true;
  /** A plain file stands where the path has a directory. */
  readonly isNoDirectory?: true;
}

/** A plain file inside a directory. */
export interface PlainFile {
  /** Where it really is, after all links. */
  readonly path: string;
  /** Changes whenever the file does, as far as its times tell. */
  readonly stamp: string;
  /** When it last changed, in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Where a path really leads, after all links.
 *
 * @param directory a real path; what leads out of it is `skill.outside`
 */
export async function resolveInside(directory: string, path: string): Promise<string | PathFault> {
  try {
    const real = await realpath(path);
    return isInside(directory, real) ? real : OUTSIDE;
  } catch (error) {
    return explainPathError(error);
  }
}

/** The plain file at a path, which may be a link to one in the same directory. Opens nothing. */
export async function findFile(directory: string, path: string): Promise<PlainFile | PathFault> {
  const real = await resolveInside(directory, path);
  if (typeof real !== 'string') return real;
  try {
    const stats = await stat(real, { bigint: true });
    if (!stats.isFile()) return NOT_PLAIN;
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    const stamp = [real, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    return { path: real, stamp, changedAt: Number(ctimeNs / 1_000_000n) };
  } catch (error) {
    return explainPathError(error);
  }
}

/**
 * The text of a file that was found, without a byte order mark. Never waits for a pipe or device that took its place.
 *
 * @param limit how many KiB it may have
 */
export async function readText({ path }: PlainFile, limit: number): Promise<string | PathFault> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    const file = await open(path, flags);
    try {
      if (!(await file.stat()).isFile()) return NOT_PLAIN;
      // A file may grow, and some tell no size; one byte more than may be there tells that there is too much.
      const bytes = await readUpTo(file, limit * 1024 + 1);
      return bytes.length > limit * 1024 ? tooLarge(limit) : decode(bytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    return explainPathError(error);
  }
}

async function readUpTo(
  file: Awaited<ReturnType<typeof open>>,
  length: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let missing = length;
  while (missing > 0) {
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(missing, 64 * 1024)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    missing -= bytesRead;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | PathFault {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? BINARY : text;
  } catch {
    return BINARY;
  }
}

function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  // A name may begin with two dots: mounted config maps are made of such.
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const OUTSIDE: PathFault = {
  code: 'skill.outside',
  what: 'is a link that leads out of its directory',
  advice: 'put what it leads to in its place',
};

const NOT_PLAIN: PathFault = {
  code: 'skill.unreadable',
  what: 'is no plain file',
  advice: 'put a plain file in its place',
};

const BINARY: PathFault = {
  code: 'skill.binary',
  what: 'is not text in UTF-8',
  advice: 'save it as UTF-8',
};

function tooLarge(limit: number): PathFault {
  const size = limit % 1024 === 0 ? `${limit / 1024} MiB` : `${limit} KiB`;
  return {
    code: 'skill.too_large',
    what: `is larger than ${size}`,
    advice: 'split it up into files that are read one by one',
  };
}

/** What an error of the file system means. */
export function explainPathError(error: unknown): PathFault {
  const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOTDIR':
      return {
        code: 'skill.unreadable',
        what: 'is no directory',
        advice: 'put a directory in its place',
        missing: true,
        isNoDirectory: true,
      };
    case 'ENOENT':
      return {
        code: 'skill.unreadable',
        what: 'is not there',
        advice: 'put it there, in just this spelling',
        missing: true,
      };
    case 'EACCES':
      return {
        code: 'skill.unreadable',
        what: 'may not be read by the user of this server',
        advice: 'change who may read it',
      };
    case 'ELOOP':
      return {
        code: 'skill.unreadable',
        what: 'is a link that leads back to itself',
        advice: 'put a plain file in its place',
      };
    default:
      return {
        code: 'skill.unreadable',
        what: `cannot be read: ${code}`,
        advice: 'look whether its disk is there',
      };
  }
}
