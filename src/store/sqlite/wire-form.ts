/** The forms in which the store keeps and gives events and metadata: the store itself knows no key of the contract. */
import type { StreamResponse } from '@tiny-harness/contract/a2a';
import type { NumberedEvent } from '../../core/events.ts';
import type { JsonText } from '../port.ts';

/** Where and when an event of a task happened. */
export interface EventPlace {
  readonly taskId: string;
  readonly contextId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How events and metadata are written. */
export interface WireForm {
  /** The event as streams carry it. */
  readonly toStreamResponse: (event: NumberedEvent, place: EventPlace) => StreamResponse;
  /** `Task.metadata` of a task's data, as JSON text, and its sub-state. */
  readonly toTaskMetadata: (data: JsonText, subState: string | undefined) => JsonText;
}
