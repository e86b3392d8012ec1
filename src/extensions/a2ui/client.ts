/** What a client says about user interfaces beside its message: what it can draw, and what has been filled in. */
import type { Message } from '@tiny-harness/contract/a2a';
import {
  CLIENT_DATA_MODEL_KEY,
  PARAMS,
  readClientCapabilities,
  readClientDataModel,
} from '@tiny-harness/contract/a2ui/v0.9.1';
import type { FieldViolation } from '../../core/errors.ts';
import { toFieldPath } from '../../core/errors.ts';
import type { Surface } from '../../core/surface.ts';

/** What a user has filled in on a surface. */
export interface SurfaceData {
  readonly surfaceId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether the client draws the catalog that this agent draws with; undefined when it does not say, or says it in a
 * form that is not known.
 */
export function canDraw(message: Message): boolean | undefined {
  const capabilities = readClientCapabilities(message);
  if (capabilities?.ok !== true) return undefined;
  const known: readonly string[] = PARAMS.supportedCatalogIds;
  return [capabilities.value['v0.9'], capabilities.value['v0.9.1']].some(
    (version) => version?.supportedCatalogIds.some((id) => known.includes(id)) === true,
  );
}

/** Whether the client sends along what is filled in on surfaces. */
export function hasDataModels(message: Message): boolean {
  return readClientDataModel(message) !== undefined;
}

/** What is filled in on those surfaces that were created with `sendDataModel`; what was not asked for is left out. */
export function readDataModels(message: Message, surfaces: readonly Surface[]): SurfaceData[] {
  const model = readClientDataModel(message);
  if (model?.ok !== true) return [];
  const sent = new Map(Object.entries(model.value.surfaces));
  return surfaces.flatMap(({ surfaceId, sendDataModel }) => {
    const data = sendDataModel ? sent.get(surfaceId) : undefined;
    return data === undefined ? [] : [{ surfaceId, data }];
  });
}

/** What is wrong with the data models of a message. */
export function checkDataModels(message: Message): FieldViolation[] {
  const model = readClientDataModel(message);
  if (model === undefined || model.ok) return [];
  const field = `message.metadata.${CLIENT_DATA_MODEL_KEY}`;
  return model.errors.map(({ path, message: description }) => ({
    field: toFieldPath(path, field),
    description,
  }));
}
