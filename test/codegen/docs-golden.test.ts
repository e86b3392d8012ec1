/** One whole page: of a schema whose texts are full of characters that mean something in Markdown. */
import { expect, test } from 'vitest';
import type { Json } from '../../codegen/json.ts';
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
  '"Written by" says who puts the data there: the agent, with its server, or a client.',
  '',
  'The functions come from the generated package. Those that read check what they find, those that write',
  'or create do not check what they are given.',
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
  '"Set by" says who gives a property its value.',
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
  "The ids are the contract's own numbers for its rules. Several extensions may share one; each page says",
  'what it means there.',
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

test('parts that share a media type, and data without an example, are told of in a line', () => {
  const part = (name: string, by: string): Json => ({
    name,
    in: ['part'],
    by,
    schema: 'schema.json',
    description: `What the ${by} says.`,
  });
  const page = (entries: readonly Json[]): string =>
    renderAll(
      toFiles({
        'schemas/contract.json': {
          name: '@acme/contract',
          description: 'A contract for tests',
          license: 'MIT',
          baseUrl,
        },
        'schemas/extensions/port/v1/extension.json': {
          title: 'Port',
          uri,
          description: 'Ports',
          purpose: 'Says which port to use.',
          required: false,
          activation: 'always',
          mediaType: 'application/port+json',
          data: entries,
        },
        'schemas/extensions/port/v1/schema.json': {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $id: `${uri}/schema.json`,
          title: 'Port',
          description: 'A port.',
          type: 'integer',
        },
      }),
    ).get('docs/a2a/ext/port/v1/index.md') ?? '';
  const both = page([part('ask', 'client'), part('tell', 'agent')]);
  expect(both).toContain('| `application/port+json`: parts that hold `ask` or `tell` |');
  expect(both).toContain('- `ask`: What the client says.\n- `tell`: What the agent says.\n');
  expect(both).toContain(
    'so `isAskPart` and `isTellPart` say the same of a part. The media type does not tell them apart; ' +
      'the direction does: `ask` comes from the client and `tell` comes from the agent.',
  );
  expect(both).not.toContain('Example');
  expect(both).toContain('Type: `integer`');
  expect(page([part('ask', 'client'), part('tell', 'client')])).toContain('what they hold does.');
  const one = page([{ ...(part('ask', 'both') as object), mediaType: 'application/ask+json' }]);
  expect(one).toContain(
    '| `application/port+json`: the extension as a whole; no part holds its data<br>`application/ask+json`: parts that hold `ask` |',
  );
});

test('the first page does not say its title twice', () => {
  const index = (description: string): string | undefined =>
    renderAll(
      toFiles({
        'schemas/contract.json': { name: '@acme/contract', description, license: 'MIT', baseUrl },
        'schemas/extensions/calm/v2/extension.json': {
          title: 'Calm',
          uri: 'urn:acme:calm',
          description: 'Slower answers',
          purpose: 'Changes behaviour.',
          required: false,
          activation: 'negotiated',
          data: [],
        },
      }),
    )
      .get('docs/a2a/index.md')
      ?.split('\n')[2];
  expect(index('@acme/contract: types and more')).toBe('Types and more');
  expect(index('@acme/contracts are two')).toBe('@acme/contracts are two');
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
