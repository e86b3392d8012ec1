/** The lint rules, in the order in which they are documented. */
import { cardModes } from './card-modes.ts';
import { codeImport } from './code-import.ts';
import { defaultValid } from './default-valid.ts';
import { duplicateId } from './duplicate-id.ts';
import { dynamicRef } from './dynamic-ref.ts';
import { exampleValid } from './example-valid.ts';
import { idMatchesPath } from './id-matches-path.ts';
import { manifestSchema } from './manifest-schema.ts';
import { metaSchema } from './meta-schema.ts';
import { objectOpenness } from './object-openness.ts';
import { propertyDescription } from './property-description.ts';
import { refLoop } from './ref-loop.ts';
import { requiredProperty } from './required-property.ts';
import type { Rule } from './rule.ts';
import { toolName } from './tool-name.ts';
import { typeNameCollision } from './type-name-collision.ts';
import { unknownFormat } from './unknown-format.ts';
import { unknownKeyword } from './unknown-keyword.ts';
import { uselessKeyword } from './useless-keyword.ts';

/** Every rule once. A rule has a folder of its id under `test/diagnostics/` that shows what it finds. */
export const RULES: readonly Rule[] = [
  metaSchema,
  unknownKeyword,
  unknownFormat,
  uselessKeyword,
  duplicateId,
  refLoop,
  dynamicRef,
  objectOpenness,
  requiredProperty,
  propertyDescription,
  idMatchesPath,
  manifestSchema,
  toolName,
  defaultValid,
  exampleValid,
  typeNameCollision,
  cardModes,
  codeImport,
];
