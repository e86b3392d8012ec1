/** The door between the builder of types and those of objects and arrays. */
import type { Resolution, SchemaAt } from '../resolution.ts';
import type { FillPlan } from './fill.ts';
import type { Mode, TypeNode } from './type-node.ts';

/** What the builders of objects and arrays are given. */
export interface BuildParts {
  readonly typeOfAll: (all: readonly SchemaAt[], mode: Mode) => TypeNode;
  readonly resolution: Resolution;
  readonly fillPlan: FillPlan;
  readonly mode: Mode;
  readonly isDeclared: (at: SchemaAt) => boolean;
  readonly self: SchemaAt | undefined;
}
