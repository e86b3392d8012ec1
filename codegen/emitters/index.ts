/** The emitters, in the order in which their files are listed. */
import type { Emitter } from './emitter.ts';
import { extensionModules } from './extension-modules.ts';
import { schemaModules } from './schema-modules.ts';

export const EMITTERS: readonly Emitter[] = [schemaModules, extensionModules];
