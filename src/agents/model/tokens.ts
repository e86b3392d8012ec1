/** How long texts are for a model, roughly: every model counts in its own way. */

/** Bytes of UTF-8 that count as one token. English has about four characters a token, Japanese about one. */
const BYTES_PER_TOKEN = 4;

/** The smallest text that is worth cutting, in tokens: the note of what is left out takes room, too. */
const LEAST = 16;

/** How many tokens a text is, estimated: a quarter of its bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The text, or its beginning and end with a note of how much is left out, in about so many tokens at most. */
export function cutText(text: string, tokens: number): string {
  const bytes = Buffer.byteLength(text);
  const room = Math.max(tokens, LEAST) * BYTES_PER_TOKEN;
  if (bytes <= room) return text;
  const kept = Math.floor(text.length * (room / bytes));
  const head = Math.ceil((kept * 2) / 3);
  const tail = kept - head;
  const note = `\n[… ${text.length - kept} characters are left out here …]\n`;
  return text.slice(0, head) + note + text.slice(text.length - tail);
}
