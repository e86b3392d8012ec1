/** One whole page: of a schema whose texts are full of characters that mean something in Markdown. */
import { expect, test } from 'vitest';
import { baseUrl, renderAll, toFiles } from '../support/projects.ts';

const uri = `${baseUrl}/ext/port/v1`;

const project = toFiles({
  'schemas/contract.json': {
    name: '@acme/contract',
    description: 'A contract for tests',
    license: 'MIT',
    baseUrl,
  },
  'schemas/extensions/port/v1/extension.json': {
    title: 'Port <1>',
    uri,
    description: 'Ports | hosts',
    purpose: 'Says which *port* to use.\n\n- {{ page.title }} is not run.',
    order: 1,
    required: true,
    activation: 'negotiated',
    data: [
      {
        name: 'port',
        in: ['message.metadata'],
        key: 'acme.example/port|v1',
        by: 'client',
        schema: 'schema.json',
        description: 'The port.',
        examples: { minimal: {}, full: { 'p|q': '{{80}}' } },
      },
    ],
    rules: [{ id: 'P1', text: 'Ports are *never* negative.' }],
  },
  'schemas/extensions/port/v1/schema.json': {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${uri}/schema.json`,
    title: 'Port',
    description: 'a|b <b>bold</b> {x} `code|pipe`',
    type: 'object',
    additionalProperties: false,
    properties: {
      'p|q': {
        type: 'string',
        pattern: '^(80|443|[{]{2}80}})$',
        description: 'either | or\nsecond line, generic Array<T>',
        examples: ['80'],
      },
      tick: { type: 'string', description: 'Backticks.', default: '`tick`' },
    },
  },
});

const expected = [
  '# Port &lt;1&gt; extension, v1',
  '',
  'Says which \\*port\\* to use.',
  '',
  '&#45; &#123;&#123; page.title &#125;&#125; is not run.',
  '',
  '|  |  |',
  '| --- | --- |',
  '| **Adds** | Ports \\| hosts |',
  '| **URI** | `https://acme.example/a2a/ext/port/v1` |',
  '| **Activation** | By the client, which names the URI in `A2A-Extensions`. Requests that do not are answered as if the extension did not exist. |',
  '| **Required** | Yes. The agent refuses clients that do not follow it. |',
  '| **In code** | `@acme/contract/port/v1` |',
  '| **Files** | [`schema.json`](schema.json), [`extension.json`](extension.json) |',
  '',
  '[The whole contract](../../../index.md)',
  '',
  '## Where the data lives',
  '',
  '| Data and its schema | Place | Key or media type | Written by | In code |',
  '| --- | --- | --- | --- | --- |',
  '| `port`<br>[`Port`](#port) | `Message.metadata` | <code>acme.example/port&#124;v1</code> | client | `readPort`<br>`writePort` |',
  '',
  'The functions come from the generated package. Those that read check what they find.',
  '',
  '```ts',
  "import { readPort, writePort } from '@acme/contract/port/v1';",
  '```',
  '',
  '## Examples',
  '',
  '### Example: port',
  '',
  'The port.',
  '',
  'In `Message.metadata`, minimal:',
  '',
  '```json',
  '{ "metadata": { "acme.example/port|v1": {} } }',
  '```',
  '',
  'In `Message.metadata`, full:',
  '',
  '```json',
  '{ "metadata": { "acme.example/port|v1": { "p|q": "\\u007b{80}}" } } }',
  '```',
  '',
  '## Definitions',
  '',
  '- [`schema.json`](schema.json): [`Port`](#port)',
  '',
  '### Port',
  '',
  'a\\|b &lt;b&gt;bold&lt;/b&gt; &#123;x&#125; <code>code&#124;pipe</code>',
  '',
  'Set by the client. No other properties.',
  '',
  '| Property | Type | Default | Constraints | Description |',
  '| --- | --- | --- | --- | --- |',
  '| <code>p&#124;q</code> | `string` |  | matches <code>^(80&#124;443&#124;&#91;&#123;&#93;&#123;2&#125;80&#125;&#125;)&#36;</code> | either \\| or<br>second line, generic Array&lt;T&gt;<br>For example `"80"`. |',
  '| `tick` | `string` | `` "`tick`" `` |  | Backticks. |',
  '',
  '## Rules',
  '',
  '- **P1**: Ports are \\*never\\* negative.',
  '',
  '## On the agent card',
  '',
  "The extension's entry in `capabilities.extensions`:",
  '',
  '```json',
  '{',
  '  "uri": "https://acme.example/a2a/ext/port/v1",',
  '  "description": "Ports | hosts",',
  '  "required": true',
  '}',
  '```',
  '',
];

test('a page is printed whole and escaped', () => {
  const page = renderAll(project).get('docs/a2a/ext/port/v1/index.md') ?? '';
  expect(page.split('\n')).toEqual(expected);
});

test('what a project does not have leaves no empty section', () => {
  const files = renderAll(
    toFiles({
      'schemas/contract.json': {
        name: '@acme/contract',
        description: 'A contract for tests',
        license: 'MIT',
        baseUrl,
      },
      'schemas/extensions/calm/v2/extension.json': {
        title: 'Calm',
        uri: 'urn:acme:calm',
        description: 'Slower answers',
        purpose: 'Changes behaviour, and adds no data.',
        order: 1,
        required: false,
        activation: 'negotiated',
        data: [],
        rules: [],
      },
    }),
  );
  const pages = [...files.keys()].filter(
    (path) => path.startsWith('docs/') && path.endsWith('.md'),
  );
  expect(pages).toEqual(['docs/a2a/ext/calm/v2/index.md', 'docs/a2a/index.md']);
  const headings = pages.map((path) => files.get(path)?.match(/^#+ .*$/gm));
  expect(headings).toEqual([
    ['# Calm extension, v2', '## On the agent card'],
    ['# @acme/contract', '## Extensions'],
  ]);
});
