/** What A2UI messages of the agent make of the surfaces of a task (rule E8). */
import type { UiMessage } from '@tiny-harness/contract/a2ui/v0.9.1';
import { PARAMS } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { Surface, SurfaceComponent } from '../../core/surface.ts';
import { Faults, nameComponent, quote } from './faults.ts';
import type { UiLimits } from './limits.ts';
import { UI_LIMITS } from './limits.ts';
import { findExcess } from '../../core/measure.ts';
import type { Placed } from './tree.ts';
import { checkTree } from './tree.ts';
import { placeOfComponent, placeOfMessage, validateMessages } from './validate.ts';
import { findPlaceFault, inspectComponent, inspectTheme } from './values.ts';

/** A surface as it is after the messages; undefined when it is gone. */
interface ChangedSurface {
  readonly surfaceId: string;
  readonly surface: Surface | undefined;
}

/** What came of messages: the surfaces that changed, or in words for the agent what is wrong. */
export type AppliedUi =
  | { readonly ok: true; readonly changed: readonly ChangedSurface[] }
  | { readonly ok: false; readonly faults: readonly string[] };

/** A surface while messages are applied to it. */
interface Draft {
  readonly surfaceId: string;
  readonly catalogId: string;
  readonly sendDataModel: boolean;
  readonly components: Map<string, Placed>;
}

/** Everything that messages may change, and where what is wrong with them goes. */
interface Run {
  readonly drafts: Map<string, Draft>;
  readonly touched: Set<string>;
  readonly limits: UiLimits;
  readonly faults: Faults;
}

/**
 * Applies messages in their order, all or none. A surface that has components afterwards has a root, and all that its
 * components name; in between neither is asked for. Never throws, whatever the messages are.
 */
export function applyUiMessages(
  surfaces: readonly Surface[],
  messages: readonly unknown[],
  limits: UiLimits = UI_LIMITS,
): AppliedUi {
  const faults = new Faults(limits.faults);
  const refused = (): AppliedUi => ({ ok: false, faults: faults.list() });
  const excess = findExcess(messages, { bytes: limits.bytes, nesting: limits.nesting });
  if (excess !== undefined) {
    faults.add('messages', `they are ${excess}, which is too much for one call`);
    return refused();
  }
  const valid = validateMessages(messages, limits, faults);
  if (faults.count > 0) return refused();
  const drafts = new Map(surfaces.map((surface) => [surface.surfaceId, toDraft(surface)]));
  const run = { drafts, touched: new Set<string>(), limits, faults };
  for (const [index, message] of valid.entries()) applyMessage(run, message, index);
  for (const id of run.touched) checkSurface(run, id);
  if (faults.count > 0) return refused();
  return { ok: true, changed: listChanged(surfaces, run) };
}

function applyMessage(run: Run, message: UiMessage, index: number): void {
  const place = placeOfMessage(message, index);
  if ('createSurface' in message) {
    createSurface(run, message.createSurface, place);
  } else if ('deleteSurface' in message) {
    const { surfaceId } = message.deleteSurface;
    if (!requireSurface(run, surfaceId, place)) return;
    run.drafts.delete(surfaceId);
    run.touched.add(surfaceId);
  } else if ('updateDataModel' in message) {
    const { surfaceId, path = '' } = message.updateDataModel;
    if (!requireSurface(run, surfaceId, place)) return;
    const fault = findPlaceFault(path);
    if (fault !== undefined) run.faults.add(place, `updateDataModel/path ${fault}`);
  } else {
    const { surfaceId, components } = message.updateComponents;
    const draft = requireSurface(run, surfaceId, place);
    // What was valid JSON for its schema is JSON.
    const list = components as unknown as readonly SurfaceComponent[];
    if (draft !== undefined) updateComponents(run, draft, list, index);
  }
}

type Created = Extract<UiMessage, { createSurface: unknown }>['createSurface'];

function createSurface(
  { drafts, touched, limits, faults }: Run,
  created: Created,
  place: string,
): void {
  const { surfaceId, catalogId, theme, sendDataModel = false } = created;
  const known: readonly string[] = PARAMS.supportedCatalogIds;
  if (drafts.has(surfaceId)) {
    const what = 'there is a surface of this id already: delete it first, or take another id';
    faults.add(place, `createSurface/surfaceId ${what}`);
    return;
  }
  if (!known.includes(catalogId)) {
    const what = `must be ${known.join(' or ')}; got ${quote(catalogId)}`;
    faults.add(place, `createSurface/catalogId ${what}`);
  }
  for (const { property, what } of inspectTheme(theme))
    faults.add(place, `createSurface/${property} ${what}`);
  if (drafts.size >= limits.surfaces)
    faults.add(place, `the task shows ${drafts.size} surfaces already, and may show no more`);
  drafts.set(surfaceId, { surfaceId, catalogId, sendDataModel, components: new Map() });
  touched.add(surfaceId);
}

function requireSurface(
  { drafts, faults }: Run,
  surfaceId: string,
  place: string,
): Draft | undefined {
  const draft = drafts.get(surfaceId);
  if (draft === undefined)
    faults.add(place, `there is no surface ${quote(surfaceId)}: a createSurface comes first`);
  return draft;
}

function updateComponents(
  { touched, faults }: Run,
  draft: Draft,
  components: readonly SurfaceComponent[],
  message: number,
): void {
  const seen = new Set<string>();
  touched.add(draft.surfaceId);
  for (const [at, component] of components.entries()) {
    if (faults.isFull) return;
    const { surfaceId } = draft;
    const place = (): string => placeOfComponent(component, surfaceId, { message, at });
    const { id } = component;
    if (seen.has(id)) faults.add(place(), 'id must be used once in a message');
    seen.add(id);
    for (const { property, what } of inspectComponent(component).faults)
      faults.add(place(), `${property} ${what}`);
    draft.components.set(id, { component, place });
  }
}

function checkSurface({ drafts, limits, faults }: Run, surfaceId: string): void {
  const draft = drafts.get(surfaceId);
  if (draft === undefined) return;
  const name = `surface ${quote(surfaceId)}`;
  const all = [...draft.components.values()].map(({ component }) => component);
  const excess = findExcess(all, { bytes: limits.bytes, nesting: limits.nesting });
  if (excess !== undefined) faults.add(name, `it is ${excess}, which is too much for one surface`);
  else checkTree(name, draft.components, limits, faults);
}

function toDraft({ surfaceId, catalogId, sendDataModel, components }: Surface): Draft {
  const placed = components.map((component): [string, Placed] => [
    component.id,
    { component, place: () => nameComponent(component, surfaceId) },
  ]);
  return { surfaceId, catalogId, sendDataModel, components: new Map(placed) };
}

/** A surface that came and went in between is none that changed. */
function listChanged(before: readonly Surface[], { drafts, touched }: Run): ChangedSurface[] {
  const old = new Set(before.map(({ surfaceId }) => surfaceId));
  return [...touched].flatMap((surfaceId): ChangedSurface[] => {
    const draft = drafts.get(surfaceId);
    if (draft === undefined) return old.has(surfaceId) ? [{ surfaceId, surface: undefined }] : [];
    const { catalogId, sendDataModel } = draft;
    const components = [...draft.components.values()].map(({ component }) => component);
    return [{ surfaceId, surface: { surfaceId, catalogId, sendDataModel, components } }];
  });
}
