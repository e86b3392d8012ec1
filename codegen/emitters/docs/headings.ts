/** Headings and the anchors that renderers give them. */

/**
 * The anchor of a heading, the same on GitHub and in kramdown's GFM parser: lower case, without
 * punctuation, hyphens for spaces.
 */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The headings of one page, no two of which share an anchor. */
export interface Headings {
  /**
   * A heading that is still free: the wanted one, or it with what tells it apart in brackets. An
   * anchor so depends on the definitions themselves and not on how many stand before them.
   */
  claim(wanted: string, apart: string): { readonly heading: string; readonly anchor: string };
}

/** Headings of a page on which some are taken from the start. */
export function createHeadings(fixed: readonly string[]): Headings {
  const taken = new Set(fixed.map(slugOf));
  return {
    claim(wanted, apart) {
      let heading = taken.has(slugOf(wanted)) ? `${wanted} (${apart})` : wanted;
      for (let count = 2; taken.has(slugOf(heading)); count++) {
        heading = `${wanted} (${apart} ${String(count)})`;
      }
      const anchor = slugOf(heading);
      taken.add(anchor);
      return { heading, anchor };
    },
  };
}
