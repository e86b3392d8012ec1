import type { Result } from './result.js';

/** The parser of each tool's arguments, by the tool's name. */
export interface ToolParsers {
  readonly [name: string]: (value: unknown) => Result<any>;
}

/** The tool's arguments with their defaults; an error that lists the tools when there is no such. */
export declare function parseNamed(parsers: ToolParsers, name: string, value: unknown): Result<any>;

/** The call whose arguments are JSON text (blank: none); an error that says where it is not JSON. */
export declare function parseNamedCall(
  parsers: ToolParsers,
  name: string,
  text: unknown,
): Result<any>;
