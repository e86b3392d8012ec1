/**
 * Descriptions as Markdown: code spans stay code, web addresses become links, and all else is text.
 * No other markup survives, so that a description cannot change the page around it.
 */
import { escapeLineStart, escapeText, printCode, printLink } from './escape.ts';

/** A description within a line or a table cell; its line breaks become `<br>`. */
export function printProse(text: string): string {
  return splitParagraphs(text).map(printInline).join('<br><br>');
}

/** A description as paragraphs; a blank line starts a new one. */
export function printParagraphs(text: string): string {
  return splitParagraphs(text)
    .map((paragraph) => escapeLineStart(printInline(paragraph)))
    .join('\n\n');
}

function splitParagraphs(text: string): readonly string[] {
  const normal = text.trim().replaceAll(/\r\n?/g, '\n');
  return normal.split(/\n(?:[^\S\n]*\n)+/);
}

/** Code spans as CommonMark finds them: a run of backticks up to the next run of the same length. */
const CODE = /(?<!`)(?<run>`+)(?!`)(?<code>[^]*?[^`])\k<run>(?!`)/g;

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`|\\^{}[\]()]+/g;

function printInline(text: string): string {
  return splitBy(text, CODE)
    .map(({ text: part, groups }) =>
      groups === undefined ? printPlain(part) : printCode(codeIn(groups.code ?? '')),
    )
    .join('');
}

function printPlain(text: string): string {
  const lines = text.split(/[^\S\n]*\n[^\S\n]*/).map((line) => line.replaceAll(/\s+/g, ' '));
  return lines
    .map((line) =>
      splitBy(line, ADDRESS)
        .map(({ text: part, isMatch }) => (isMatch ? printAddress(part) : escapeText(part)))
        .join(''),
    )
    .join('<br>');
}

/** Punctuation at the end of a sentence does not belong to the address before it. */
function printAddress(address: string): string {
  const url = address.replace(/[.,;:!?*_~]+$/, '');
  return printLink(escapeText(url), url) + escapeText(address.slice(url.length));
}

/** Line breaks are spaces, and one space on each side only keeps a backtick from its delimiter. */
function codeIn(text: string): string {
  const code = text.replaceAll('\n', ' ');
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    ? code.slice(1, -1)
    : code;
}

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
  /** The named groups of the match, if its pattern has any. */
  readonly groups?: { readonly code?: string } | undefined;
}

/** A text as the matches of a pattern and what stands between them. */
function splitBy(text: string, pattern: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push({ text: text.slice(end, match.index), isMatch: false });
    pieces.push({ text: match[0], isMatch: true, groups: match.groups });
    end = match.index + match[0].length;
  }
  return [...pieces, { text: text.slice(end), isMatch: false }];
}
