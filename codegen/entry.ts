/** What the launcher's bundle offers: the command line and the library. */
export { main } from './cli.ts';
export * as library from './index.ts';
