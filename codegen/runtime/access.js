// How extension data is found where its manifest says that it lives, and put there.

/** @typedef {import('./access.js').MetadataCarrier} MetadataCarrier */

/**
 * @param {MetadataCarrier | null | undefined} carrier
 * @param {string} key
 * @returns {unknown} the data under a metadata key; undefined when there is none
 */
export function getMetadata(carrier, key) {
  const metadata = carrier?.metadata;
  return metadata !== undefined && metadata !== null && Object.hasOwn(metadata, key)
    ? metadata[key]
    : undefined;
}

/**
 * @template {MetadataCarrier} T
 * @param {T} carrier
 * @param {string} key
 * @param {unknown} value
 * @returns {unknown} a copy of the carrier whose metadata holds the value under the key
 */
export function withMetadata(carrier, key, value) {
  const metadata = Object.defineProperty({ ...carrier.metadata }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return { ...carrier, metadata };
}

/**
 * @param {import('./access.js').Part | null | undefined} part
 * @param {string} mediaType
 * @returns {boolean} whether a part has a media type; parameters and case do not matter
 */
export function hasMediaType(part, mediaType) {
  const written = part?.mediaType;
  // What came over the wire need not be what its type says.
  if (typeof written !== 'string') return false;
  const [type = ''] = written.split(';');
  return type.trim().toLowerCase() === mediaType.toLowerCase();
}

/**
 * @param {import('./access.js').ExtensionCarrier | null | undefined} card
 * @param {string} uri
 * @returns {unknown} the params of an extension on an agent card; undefined when it has none
 */
export function getExtensionParams(card, uri) {
  /** @type {unknown} */
  const listed = card?.capabilities?.extensions;
  /** @type {readonly (import('./access.js').AgentExtension | null)[]} */
  const extensions = Array.isArray(listed) ? listed : [];
  return extensions.find((extension) => extension?.uri === uri)?.params ?? undefined;
}
