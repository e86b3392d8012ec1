/** A user interface that an agent has shown, as far as what follows has to fit to it (rule E8). */
import type { JsonObject } from './task.ts';

/** A component of a surface as its agent sent it: valid for A2UI's schemas. */
export interface SurfaceComponent extends JsonObject {
  /** Unique in its surface. */
  readonly id: string;
  /** Its type, such as `Button`. */
  readonly component: string;
}

/** An A2UI surface: what all its messages so far amount to. */
export interface Surface {
  /** Unique in its task. */
  readonly surfaceId: string;
  readonly catalogId: string;
  /** Whether the client sends the surface's data along with every message. */
  readonly sendDataModel: boolean;
  /** The components as they are now, each with an id of its own, in the order in which they first came. */
  readonly components: readonly SurfaceComponent[];
}
