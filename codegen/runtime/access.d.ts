/** Any A2A structure with metadata: Task, Message, Part, Artifact, an update event, a request. */
export interface MetadataCarrier {
  readonly metadata?: { readonly [key: string]: unknown } | null | undefined;
}

/**
 * An A2A part as ProtoJSON writes it, the form in which it travels. A part of an SDK that keeps its
 * content otherwise has to be written as ProtoJSON first.
 */
export interface Part extends MetadataCarrier {
  readonly data?: unknown;
  readonly content?: never;
  readonly mediaType?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/** A data part as this package makes it. */
export interface DataPart<T> {
  data: T;
  mediaType: string;
}

/** An extension as an A2A agent card lists it. */
export interface AgentExtension {
  readonly uri: string;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly params?: { readonly [key: string]: unknown } | null | undefined;
}

/** What of an A2A agent card says which extensions it supports. */
export interface ExtensionCarrier {
  readonly capabilities?:
    { readonly extensions?: readonly AgentExtension[] | null | undefined } | null | undefined;
}

/** The data under a metadata key; undefined when there is none. */
export declare function getMetadata(
  carrier: MetadataCarrier | null | undefined,
  key: string,
): unknown;

/** A copy of the carrier whose metadata holds the value under the key. */
export declare function withMetadata<T extends MetadataCarrier>(
  carrier: T,
  key: string,
  value: unknown,
): unknown;

/** Whether a part has a media type; parameters and case do not matter. */
export declare function hasMediaType(part: Part | null | undefined, mediaType: string): boolean;

/** The params of an extension on an agent card; undefined when it has none. */
export declare function getExtensionParams(
  card: ExtensionCarrier | null | undefined,
  uri: string,
): unknown;
