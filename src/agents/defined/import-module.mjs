/**
 * Imports a module that is not known before the server runs. A file of its own, because Node 20 warns of an `import()`
 * in code that is compiled from memory, as the launcher's bundle is: the launcher leaves this one out of it.
 *
 * @param {string} url
 * @returns {Promise<Readonly<Record<string, unknown>>>} what the module exports
 */
export async function importModule(url) {
  /** @type {unknown} */
  const module = await import(/* @vite-ignore */ url);
  return /** @type {Readonly<Record<string, unknown>>} */ (module);
}
