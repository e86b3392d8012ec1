/** How names are put into messages. */

/** The most characters of a name that somebody made up. */
const MAX_QUOTED = 100;

/** The most names that are listed. */
const MAX_NAMED = 50;

/** A name in quotes, in one line and not too long. */
export function quote(name: string): string {
  const short = name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name;
  return JSON.stringify(short);
}

/** Names with commas between them; of many the first, and how many more there are. */
export function nameSome(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
