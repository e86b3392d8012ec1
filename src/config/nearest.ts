/** Guesses what a misspelt word was meant to be. */

/** The word that takes the fewest edits, when that is at most a third of its letters; undefined otherwise. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of words) {
    const distance = editDistance(word, candidate);
    if (distance < least && distance <= candidate.length / 3) [best, least] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions and replacements of one character between two words (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
