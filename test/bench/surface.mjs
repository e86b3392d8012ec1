// User interfaces of a given size, made of what forms are made of.

const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';
const VERSION = 'v0.9';

/** The components of a row of a form: what they are about is bound to the data model. */
const KINDS = [
  (/** @type {string} */ id) => ({ id, component: 'Text', text: `Order ${id}`, variant: 'h4' }),
  (/** @type {string} */ id) => ({ id, component: 'Text', text: { path: `/rows/${id}/text` } }),
  (/** @type {string} */ id) => ({
    id,
    component: 'TextField',
    label: 'Amount',
    value: { path: `/rows/${id}/amount` },
    checks: [
      {
        condition: { call: 'required', args: { value: { path: `/rows/${id}/amount` } } },
        message: 'An amount is needed.',
      },
    ],
  }),
  (/** @type {string} */ id) => ({
    id,
    component: 'CheckBox',
    label: 'Urgent',
    value: { path: `/rows/${id}/urgent` },
  }),
  (/** @type {string} */ id) => ({ id, component: 'Image', url: `https://example.com/${id}.png` }),
];

/**
 * The messages that show a surface.
 *
 * @param {number} count of its components, at least 2
 * @returns {readonly object[]}
 */
export function createSurface(count) {
  const ids = Array.from({ length: count - 1 }, (_, index) => `item-${String(index)}`);
  const root = { id: 'root', component: 'Column', children: ids };
  const items = ids.map((id, index) => KINDS[index % KINDS.length]?.(id));
  const surfaceId = 'orders';
  return [
    { version: VERSION, createSurface: { surfaceId, catalogId: CATALOG } },
    { version: VERSION, updateComponents: { surfaceId, components: [root, ...items] } },
  ];
}
