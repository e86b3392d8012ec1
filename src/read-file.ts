/** Reads the files that settings name. */
import { readFile } from 'node:fs/promises';

/**
 * The text of the file that a setting names. Rejects with an Error that names the setting and the file, and says what
 * to do.
 */
export async function readNamedFile(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`${variable}: ${path} cannot be read: ${explain(error)}`, { cause: error });
  }
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file; paths start where the server was started';
    case 'EISDIR':
      return 'it is a folder; name a file in it';
    case 'EACCES':
      return 'this user may not read it; change who may';
    default:
      return message;
  }
}
