/** What is wrong with A2UI messages, in words that an agent can act on (rule E8). */
import { describe, expect, it } from 'vitest';
import {
  BASIC,
  button,
  column,
  create,
  faultsOf,
  remove,
  setData,
  text,
  update,
} from './a2ui-fixture.ts';

type Row = readonly [name: string, messages: readonly unknown[], faults: readonly string[]];

/** A surface `s` with a root that is this component; `t` is a text. */
const shown = (root: object) => [create('s'), update('s', { id: 'root', ...root }, text('t'))];
const at = (index: number, name: string) =>
  `messages[1].updateComponents.components[${index}] (${name} of surface "s")`;

const FUNCTIONS =
  'required, regex, length, numeric, email, formatString, formatNumber, formatCurrency, formatDate, pluralize, openUrl, and, or, not';
const TYPES =
  'Text, Image, Icon, Video, AudioPlayer, Row, Column, List, Card, Tabs, Modal, Divider, Button, TextField, CheckBox, ChoicePicker, Slider, DateTimeInput';

const SCHEMA: readonly Row[] = [
  ['no object', [1], ['messages[0]: the value must be an object; got 1']],
  [
    'none of the four messages',
    [{ version: 'v0.9' }],
    ['messages[0]: createSurface, updateComponents, updateDataModel or deleteSurface is missing'],
  ],
  [
    'another version',
    [{ ...remove('s'), version: 'v0.8' }],
    ['messages[0] (surface "s"): version must be one of v0.9, v0.9.1; got "v0.8"'],
  ],
  [
    'two messages in one',
    [{ ...create('s'), ...remove('s') }],
    [
      'messages[0] (surface "s"): "deleteSurface" is not a known property (known: version, createSurface)',
    ],
  ],
  [
    'a message that lacks something',
    [{ version: 'v0.9', createSurface: { surfaceId: 's' } }],
    ['messages[0] (surface "s"): createSurface/catalogId is missing (a string)'],
  ],
  [
    'a component that lacks something',
    [
      create('s'),
      update('s', { id: 'send', component: 'Button', action: { event: { name: 'go' } } }),
    ],
    [`${at(0, 'Button "send"')}: child is missing (a string)`],
  ],
  [
    'a component of no known type',
    [create('s'), update('s', { id: 'a', component: 'Buton' })],
    [`${at(0, 'Buton "a"')}: component must be one of ${TYPES}; got "Buton"`],
  ],
  [
    'components that are none',
    [create('s'), update('s', null, [])],
    [
      `${at(0, 'component')}: it must be an object; got null`,
      `${at(1, 'component')}: it must be an object; got an array`,
    ],
  ],
  [
    'what a component does not have',
    [create('s'), update('s', text('a', { colour: 'red' }))],
    [
      `${at(0, 'Text "a"')}: "colour" is not a known property (known: id, accessibility, weight, component, text, variant)`,
    ],
  ],
  [
    'faults in several components and around them',
    [
      {
        version: 'v0.9',
        updateComponents: {
          surfaceId: 's',
          components: [{ id: 'a' }, text('b', { text: 1 })],
          x: 1,
        },
      },
    ],
    [
      'messages[0] (surface "s"): updateComponents: "x" is not a known property (known: surfaceId, components)',
      `messages[0].updateComponents.components[0] (component "a" of surface "s"): component is missing (one of ${TYPES})`,
      'messages[0].updateComponents.components[1] (Text "b" of surface "s"): text must be a string or an object; got 1',
    ],
  ],
  [
    'a function that is not in the catalog',
    shown(text('a', { text: { call: 'now', args: {} } })),
    [`${at(0, 'Text "a"')}: text/call must be one of ${FUNCTIONS}; got "now"`],
  ],
  [
    'arguments that a function does not take',
    shown(text('a', { text: { call: 'formatNumber', args: { value: 'x' } } })),
    [`${at(0, 'Text "a"')}: text/args/value must be a number or an object; got "x"`],
  ],
  [
    'no components',
    [create('s'), update('s')],
    ['messages[1] (surface "s"): updateComponents/components must not be empty'],
  ],
];

const ORDER: readonly Row[] = [
  [
    'an update of a surface that is not there',
    [update('s', text('root')), setData('s', { value: 1 }), remove('s')],
    [0, 1, 2].map(
      (index) =>
        `messages[${index}] (surface "s"): there is no surface "s": a createSurface comes first`,
    ),
  ],
  [
    'a surface that is created twice',
    [create('s'), create('s')],
    [
      'messages[1] (surface "s"): createSurface/surfaceId there is a surface of this id already: delete it first, or take another id',
    ],
  ],
  [
    'a surface that is used after it was deleted',
    [create('s'), remove('s'), update('s', text('root'))],
    ['messages[2] (surface "s"): there is no surface "s": a createSurface comes first'],
  ],
  [
    'another catalog',
    [create('s', { catalogId: 'urn:mine' })],
    [`messages[0] (surface "s"): createSurface/catalogId must be ${BASIC}; got "urn:mine"`],
  ],
  [
    'an id that is used twice in a message',
    [create('s'), update('s', text('root'), text('root'))],
    [`${at(1, 'Text "root"')}: id must be used once in a message`],
  ],
];

const TREE: readonly Row[] = [
  [
    'components without a root',
    [create('s'), update('s', text('a'))],
    ['surface "s": no component has the id "root", and nothing is drawn without one'],
  ],
  [
    'children that do not exist, wherever they are named',
    [
      create('s'),
      update(
        's',
        column('root', 'card', 'tabs', 'list', 'modal', 'gone'),
        { id: 'card', component: 'Card', child: 'a' },
        { id: 'tabs', component: 'Tabs', tabs: [{ title: 'x', child: 'b' }] },
        { id: 'list', component: 'List', children: { componentId: 'c', path: '/items' } },
        { id: 'modal', component: 'Modal', trigger: 'd', content: 'e' },
        button('button', 'f'),
      ),
    ],
    [
      [0, 'Column "root"', 'children/4', 'gone'],
      [1, 'Card "card"', 'child', 'a'],
      [2, 'Tabs "tabs"', 'tabs/0/child', 'b'],
      [3, 'List "list"', 'children', 'c'],
      [4, 'Modal "modal"', 'trigger', 'd'],
      [4, 'Modal "modal"', 'content', 'e'],
      [5, 'Button "button"', 'child', 'f'],
    ].map(
      ([index, name, property, id]) =>
        `${at(Number(index), String(name))}: ${property} must be the id of a component; there is no "${id}"`,
    ),
  ],
  [
    'a component that contains itself',
    [create('s'), update('s', column('root', 'root'))],
    [`${at(0, 'Column "root"')}: it contains itself: "root" → "root"`],
  ],
  [
    'a cycle',
    [create('s'), update('s', text('root'), column('a', 'b'), column('b', 'c'), column('c', 'b'))],
    [`${at(2, 'Column "b"')}: it contains itself: "b" → "c" → "b"`],
  ],
  [
    'a cycle through a template',
    shown({ component: 'List', children: { componentId: 'root', path: '/items' } }),
    [`${at(0, 'List "root"')}: it contains itself: "root" → "root"`],
  ],
];

const openUrl = (url: string) =>
  button('root', 't', { action: { functionCall: { call: 'openUrl', args: { url } } } });
const image = (url: string) => ({ component: 'Image', url });
const field = (more: object) => ({ component: 'TextField', label: 'x', ...more });
const check = (condition: object) => field({ checks: [{ condition, message: 'm' }] });
const web = 'must be a URL that begins with https:// or http://';

const VALUES: readonly Row[] = [
  ...['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'not a uri', '/a'].map(
    (url): Row => [
      `an image at ${JSON.stringify(url)}`,
      shown(image(url)),
      [`${at(0, 'Image "root"')}: url ${web}, or data:image/…; got ${JSON.stringify(url)}`],
    ],
  ),
  ...['javascript:alert(1)', 'mailto:ann@example.com', 'data:image/png,x'].map((url): Row => [
    `a link to ${url}`,
    shown(openUrl(url)),
    [`${at(0, 'Button "root"')}: action/functionCall/args/url ${web}; got "${url}"`],
  ]),
  [
    'an icon that is a script',
    [create('s', { theme: { iconUrl: 'javascript:1' } })],
    [
      `messages[0] (surface "s"): createSurface/theme/iconUrl ${web}, or data:image/…; got "javascript:1"`,
    ],
  ],
  [
    'a pattern that does not compile, in a call',
    shown(check({ call: 'regex', args: { value: 'x', pattern: '(' } })),
    [
      `${at(0, 'TextField "root"')}: checks/0/condition/args/pattern must be a regular expression; got "("`,
    ],
  ],
  [
    'a pattern that does not compile, of a field',
    shown(field({ validationRegexp: '[' })),
    [`${at(0, 'TextField "root"')}: validationRegexp must be a regular expression; got "["`],
  ],
  [
    'a pattern that is too long',
    shown(field({ validationRegexp: 'x'.repeat(1_001) })),
    [`${at(0, 'TextField "root"')}: validationRegexp must have at most 1000 characters; got 1001`],
  ],
  [
    'a pointer with a stray tilde',
    shown(text('root', { text: { path: '/a~b' } })),
    [
      `${at(0, 'Text "root"')}: text/path must be a JSON pointer, in which ~ is written ~0; got "/a~b"`,
    ],
  ],
  [
    'a pointer into a prototype',
    [create('s'), setData('s', { path: '/__proto__/x', value: 1 })],
    [
      'messages[1] (surface "s"): updateDataModel/path must not lead through "__proto__", which clients refuse; got "/__proto__/x"',
    ],
  ],
  [
    'a relative pointer outside a template',
    shown(text('root', { text: { path: 'name' } })),
    [
      `${at(0, 'Text "root"')}: text/path must be an absolute path outside a template: "/name" instead of "name"`,
    ],
  ],
  [
    'a change of the data at a relative pointer',
    [create('s'), setData('s', { path: 'name', value: 1 })],
    [
      'messages[1] (surface "s"): updateDataModel/path must be an absolute path outside a template: "/name" instead of "name"',
    ],
  ],
  [
    'a call of no known function where the schema does not look',
    shown(check({ call: 'required', args: { value: { call: 'now' } } })),
    [
      `${at(0, 'TextField "root"')}: checks/0/condition/args/value/call must be one of ${FUNCTIONS}; got "now"`,
    ],
  ],
  [
    'a call of no known function in a text',
    shown(text('root', { text: { call: 'formatString', args: { value: 'It is ${now()}' } } })),
    [`${at(0, 'Text "root"')}: text/args/value must call one of ${FUNCTIONS}; got "now"`],
  ],
  [
    'a relative path in a text outside a template',
    shown(text('root', { text: { call: 'formatString', args: { value: 'Hello ${name}' } } })),
    [
      `${at(0, 'Text "root"')}: text/args/value must be an absolute path outside a template: "/name" instead of "name"`,
    ],
  ],
];

describe.each([
  ['schemas', SCHEMA],
  ['order', ORDER],
  ['tree', TREE],
  ['values', VALUES],
])('A2UI messages are refused: %s', (_, rows) => {
  it.each(rows)('%s', (_name, messages, faults) => {
    expect(faultsOf(messages)).toStrictEqual(faults);
  });
});

describe('A2UI messages are accepted', () => {
  const list = { component: 'List', children: { componentId: 't', path: '/items' } };
  const spoken = (value: string) => text('t', { text: { call: 'formatString', args: { value } } });
  it.each([
    ['a surface without components', [create('s')]],
    [
      'components before their root',
      [create('s'), update('s', text('a')), update('s', column('root', 'a'))],
    ],
    [
      'children before they exist',
      [create('s'), update('s', column('root', 'a')), update('s', text('a'))],
    ],
    ['components that nothing names', [create('s'), update('s', text('root'), text('a'))]],
    [
      'relative paths in a template',
      [create('s'), update('s', { id: 'root', ...list }, text('t', { text: { path: 'name' } }))],
    ],
    [
      'relative paths in a text of a template',
      [create('s'), update('s', { id: 'root', ...list }, spoken('${name}: ${price}'))],
    ],
    [
      'literals and what is escaped in a text',
      shown(column('root', 't')).concat(update('s', spoken('${1} ${true} \\${now()}'))),
    ],
    [
      'a surface that is created again after it was deleted',
      [create('s'), remove('s'), create('s')],
    ],
    ['images as data', shown(image('data:image/png;base64,AAAA'))],
    [
      'images of which the data model knows the address',
      shown({ component: 'Image', url: { path: '/image' } }),
    ],
    ['links into the web', shown(openUrl('https://example.com'))],
    [
      'ids like names of a prototype',
      [
        create('__proto__'),
        update(
          '__proto__',
          column('root', '__proto__', 'constructor'),
          text('__proto__'),
          text('constructor'),
        ),
      ],
    ],
    [
      'limits of a date',
      shown({ component: 'DateTimeInput', value: '', min: '2026-01-01', max: '23:59:59Z' }),
    ],
  ])('%s', (_, messages) => {
    expect(faultsOf(messages)).toStrictEqual([]);
  });

  it('in version 0.9 as in 0.9.1', () => {
    expect(faultsOf([{ ...create('s'), version: 'v0.9' }])).toStrictEqual([]);
  });
});
