// An agent's card for the address at which it is reached.

/** @typedef {import('./agent-card.js').AgentCard} AgentCard */
/** @typedef {import('./agent-card.js').AgentCardSource} AgentCardSource */
/** @typedef {import('./agent-card.js').AgentCardOptions} AgentCardOptions */

/**
 * @param {AgentCardSource} source the card without addresses
 * @param {AgentCardOptions} options what to add and what to put in place of the source's
 * @returns {AgentCard} a new card; members that are undefined are left out
 */
export function buildAgentCard(source, options) {
  const { baseUrl, streaming, pushNotifications, extendedAgentCard, ...members } = options;
  const url = toInterfaceUrl(baseUrl);
  const { supportedInterfaces, capabilities, ...rest } = { ...source, ...defined(members) };
  const { extensions, ...abilities } = {
    ...capabilities,
    ...defined({ streaming, pushNotifications, extendedAgentCard }),
  };
  const card = {
    supportedInterfaces: supportedInterfaces.map((each) => ({ url, ...each })),
    capabilities: { ...abilities, ...defined({ extensions }) },
    ...rest,
  };
  const ordered = inOrder(card);
  // A copy at every depth: whoever changes a card changes no other one.
  return structuredClone(/** @type {AgentCard} */ (ordered));
}

/** The members of an AgentCard, in the order of A2A's own definition. */
const MEMBERS = [
  'name',
  'description',
  'supportedInterfaces',
  'provider',
  'version',
  'documentationUrl',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'signatures',
  'iconUrl',
];

/**
 * @param {Record<string, unknown>} card
 * @returns {unknown} the card's members in order, those that are undefined left out
 */
function inOrder(card) {
  const names = MEMBERS.filter((name) => card[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, card[name]]));
}

/**
 * @param {unknown} baseUrl text, or an object with `href` such as a URL
 * @returns {string} the address with a slash at its end
 */
function toInterfaceUrl(baseUrl) {
  const isObject = typeof baseUrl === 'object' && baseUrl !== null && 'href' in baseUrl;
  const text = String(isObject ? baseUrl.href : baseUrl);
  if (!URL.canParse(text)) throw wrongBaseUrl(text, 'is not an absolute URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    url.username = url.password = '';
    throw wrongBaseUrl(url.href, 'came with credentials, which a card would publish');
  }
  if (!/^https?:$/.test(url.protocol)) throw wrongBaseUrl(text, 'is neither http: nor https:');
  if (url.search !== '' || url.hash !== '') throw wrongBaseUrl(text, 'has a query or a fragment');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}

/**
 * @param {string} url
 * @param {string} fault
 * @returns {TypeError}
 */
function wrongBaseUrl(url, fault) {
  const advice =
    'give the address at which clients reach the agent, such as https://agent.example/';
  return new TypeError(`baseUrl ${JSON.stringify(url)} ${fault}; ${advice}`);
}

/**
 * @template {object} T
 * @param {T} members
 * @returns {T} those that are not undefined
 */
function defined(members) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return /** @type {T} */ (Object.fromEntries(entries));
}
