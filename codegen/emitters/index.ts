/** The emitters, in the order in which their files are listed. */
import { agentCard } from './agent-card.ts';
import { codeModules } from './code-modules.ts';
import { docs } from './docs/index.ts';
import type { Emitter } from './emitter.ts';
import { extensionModules } from './extension-modules.ts';
import { packageFiles } from './package.ts';
import { schemaFiles } from './schema-files.ts';
import { schemaModules } from './schema-modules.ts';
import { setModules } from './set-modules.ts';
import { toolForms } from './tool-forms.ts';
import { tools } from './tools.ts';

/** Every emitter; adding one is a file and a line here. */
export const EMITTERS: readonly Emitter[] = [
  schemaModules,
  extensionModules,
  setModules,
  tools,
  toolForms,
  agentCard,
  codeModules,
  schemaFiles,
  packageFiles,
  docs,
];
