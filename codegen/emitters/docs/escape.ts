/**
 * Escaping for Markdown that three renderers read: GitHub (GFM), kramdown (GitHub Pages), and MDX
 * sites. Pages go through Liquid before kramdown, even without front matter, so no output may hold
 * two opening braces in a row, or a brace and a percent sign.
 */

/** Characters that mean something inside a line, and how each is written to mean itself. */
const INLINE: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\\': '&#92;',
  '{': '&#123;',
  '}': '&#125;',
  $: '&#36;',
  // kramdown looks for code in a table row before it looks for backslashes.
  '`': '&#96;',
  '*': '\\*',
  _: '\\_',
  '[': '\\[',
  ']': '\\]',
  '|': '\\|',
  '~': '\\~',
};

/** A text that means nothing but itself, within a line, a table cell or a heading. */
export function escapeText(text: string): string {
  const escaped = text
    .replaceAll(/[&<>\\{}$`*_[\]|~]/g, (character) => INLINE[character] ?? character)
    .replaceAll(/(?<=-)-/g, '\\-')
    // Before a link an exclamation mark would make it an image.
    .replace(/!$/, '\\!');
  return breakAddresses(escaped);
}

/** What begins a heading, a list, a rule or a definition at the start of a line is made plain. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^([#+=:^-])/, (character) => `&#${String(character.charCodeAt(0))};`)
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/**
 * Text as code. A pipe would end a table cell in one renderer, escaped it would show its backslash
 * in the other; such text, and what Liquid would run, is written as an HTML element.
 */
export function printCode(text: string): string {
  const visible = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, escapeControl);
  if (needsElement(visible)) return `<code>${escapeCode(visible)}</code>`;
  const runs = visible.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${visible}\``;
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${visible} ${fence}`;
}

/** A link; the label is Markdown already. */
export function printLink(label: string, href: string): string {
  return `[${label}](${escapeHref(href)})`;
}

function needsElement(text: string): boolean {
  return /^\s|\s$|^$|\||\{[{%]|<\/?code/i.test(text);
}

function escapeCode(text: string): string {
  const code = text.replaceAll(
    /[^\p{L}\p{M}\p{N} .,;/()=+?%^'"-]/gu,
    (character) => `&#${String(character.codePointAt(0))};`,
  );
  return breakAddresses(code);
}

/** GitHub makes links of these, inside an HTML element too. */
function breakAddresses(text: string): string {
  return text.replaceAll(/(www)\./gi, '$1&#46;').replaceAll(/(https?|ftp):\/\//gi, '$1&#58;//');
}

/** As JSON writes it: `\n`, or `\u` and four hexadecimal digits. */
function escapeControl(character: string): string {
  const quoted = JSON.stringify(character).slice(1, -1);
  if (quoted !== character) return quoted;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapeHref(href: string): string {
  return href.replaceAll(/[^\p{L}\p{N}\-._~:/?#@!&+,;=%]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}
