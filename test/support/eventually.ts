/** Waiting for what cannot be listened for. */

/**
 * Resolves with what `look` finds as soon as it finds something; rejects after so many milliseconds. For what the
 * server does on its own time and tells nobody.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  within = 15_000,
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${within} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
