/** A2UI messages, short to write. */
import { PARAMS } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { Surface, SurfaceComponent } from '../../src/core/surface.ts';
import { applyUiMessages } from '../../src/extensions/a2ui/index.ts';

/** The id of the basic catalog. */
export const BASIC = PARAMS.supportedCatalogIds[0];

const version = 'v0.9.1';

export const create = (surfaceId: string, more: object = {}) => ({
  version,
  createSurface: { surfaceId, catalogId: BASIC, ...more },
});

export const update = (surfaceId: string, ...components: readonly unknown[]) => ({
  version,
  updateComponents: { surfaceId, components },
});

export const setData = (surfaceId: string, more: object) => ({
  version,
  updateDataModel: { surfaceId, ...more },
});

export const remove = (surfaceId: string) => ({ version, deleteSurface: { surfaceId } });

export const text = (id: string, more: object = {}) => ({
  id,
  component: 'Text',
  text: 'x',
  ...more,
});

export const column = (id: string, ...children: readonly string[]) => ({
  id,
  component: 'Column',
  children,
});

export const button = (id: string, child: string, more: object = {}) => ({
  id,
  component: 'Button',
  child,
  action: { event: { name: 'go' } },
  ...more,
});

/** A surface as the store keeps it. */
export const surface = (
  surfaceId: string,
  components: readonly object[] = [],
  sendDataModel = false,
): Surface => ({
  surfaceId,
  catalogId: BASIC,
  sendDataModel,
  components: components as readonly SurfaceComponent[],
});

/** The faults of messages; none when they are accepted. */
export function faultsOf(
  messages: readonly unknown[],
  surfaces: readonly Surface[] = [],
): readonly string[] {
  const applied = applyUiMessages(surfaces, messages);
  return applied.ok ? [] : applied.faults;
}

/** The surfaces after messages that are accepted, by id. */
export function apply(
  surfaces: readonly Surface[],
  messages: readonly unknown[],
): readonly Surface[] {
  const applied = applyUiMessages(surfaces, messages);
  if (!applied.ok) throw new Error(applied.faults.join('\n'));
  const after = new Map(surfaces.map((each) => [each.surfaceId, each]));
  for (const { surfaceId, surface: changed } of applied.changed) {
    if (changed === undefined) after.delete(surfaceId);
    else after.set(surfaceId, changed);
  }
  return [...after.values()].sort((a, b) => (a.surfaceId < b.surfaceId ? -1 : 1));
}
