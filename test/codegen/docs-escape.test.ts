/** Escaping for GitHub, kramdown, Liquid and MDX: every character that could mean something else. */
import { describe, expect, test } from 'vitest';
import { escapeText, printCode, printLink } from '../../codegen/emitters/docs/escape.ts';
import { createHeadings, slugOf } from '../../codegen/emitters/docs/headings.ts';
import { printJsonBlock } from '../../codegen/emitters/docs/json-block.ts';
import { printParagraphs, printProse } from '../../codegen/emitters/docs/prose.ts';
import { printTable } from '../../codegen/emitters/docs/table.ts';

describe('text', () => {
  test.each([
    ['plain words, 1.5 (or so)', 'plain words, 1.5 (or so)'],
    ['a|b', 'a\\|b'],
    ['<b>bold</b>', '&lt;b&gt;bold&lt;/b&gt;'],
    ['Tom & Jerry &lt;', 'Tom &amp; Jerry &amp;lt;'],
    ['back\\slash \\|', 'back&#92;slash &#92;\\|'],
    ['`tick', '&#96;tick'],
    ['*strong* _soft_', '\\*strong\\* \\_soft\\_'],
    ['[label](href) ![image]', '\\[label\\](href) !\\[image\\]'],
    ['~~gone~~', '\\~\\~gone\\~\\~'],
    ['{x} {{ page.title }}', '&#123;x&#125; &#123;&#123; page.title &#125;&#125;'],
    ['{% include x %}', '&#123;% include x %&#125;'],
    ['{: .class }', '&#123;: .class &#125;'],
    ['$a$ and $$b$$', '&#36;a&#36; and &#36;&#36;b&#36;&#36;'],
    ['--flag --- end', '-\\-flag -\\-\\- end'],
    ['www.example.com', 'www&#46;example.com'],
    ['http://a_b', 'http&#58;//a\\_b'],
    ['Stop!', 'Stop\\!'],
  ])('%j', (text, markdown) => {
    expect(escapeText(text)).toBe(markdown);
  });
});

describe('code', () => {
  test.each([
    ['string', '`string`'],
    ['a < b && c > d', '`a < b && c > d`'],
    ['`tick`', '`` `tick` ``'],
    ['a``b`c', '``` a``b`c ```'],
    ['\\d{2}', '`\\d{2}`'],
    ['^(80|443)$', '<code>^(80&#124;443)&#36;</code>'],
    ['p|`q`_*', '<code>p&#124;&#96;q&#96;&#95;&#42;</code>'],
    ['{{ x }}', '<code>&#123;&#123; x &#125;&#125;</code>'],
    ['{% raw %}', '<code>&#123;% raw %&#125;</code>'],
    ['a</code><b>', '<code>a&#60;/code&#62;&#60;b&#62;</code>'],
    [' padded', '<code> padded</code>'],
    ['', '<code></code>'],
    ['two\nlines\u0000\u2028', '`two\\nlines\\u0000\\u2028`'],
    ['ключ|名', '<code>ключ&#124;名</code>'],
  ])('%j', (text, markdown) => {
    expect(printCode(text)).toBe(markdown);
  });
});

describe('descriptions', () => {
  test.each([
    ['one `code` span', 'one `code` span'],
    ['a `p|q` b|c', 'a <code>p&#124;q</code> b\\|c'],
    ['`` a`b ``', '`` a`b ``'],
    ['an open ` tick and ``two more', 'an open &#96; tick and &#96;&#96;two more'],
    ['either | or\nsecond line', 'either \\| or<br>second line'],
    ['windows\r\nline', 'windows<br>line'],
    ['first\n\nsecond', 'first<br><br>second'],
    ['`over\ntwo` lines', '`over two` lines'],
    ['generic Array<T>', 'generic Array&lt;T&gt;'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [
      'See https://a.example/x_y?z=1.',
      'See [https&#58;//a.example/x\\_y?z=1](https://a.example/x_y?z=1).',
    ],
    [
      '{{ x }} and `{{ y }}`',
      '&#123;&#123; x &#125;&#125; and <code>&#123;&#123; y &#125;&#125;</code>',
    ],
    ['!https://a.example', '\\![https&#58;//a.example](https://a.example)'],
    ['  many   spaces ', 'many spaces'],
  ])('%j', (text, markdown) => {
    expect(printProse(text)).toBe(markdown);
  });

  test.each([
    ['first\n \nsecond', 'first\n\nsecond'],
    ['# heading', '&#35; heading'],
    ['- item', '&#45; item'],
    ['+ item', '&#43; item'],
    ['1. item', '1\\. item'],
    ['2) item', '2\\) item'],
    ['=====', '&#61;===='],
    [': definition', '&#58; definition'],
    ['^', '&#94;'],
    ['> quote', '&gt; quote'],
    ['---', '&#45;\\-\\-'],
    ['text\n---', 'text<br>-\\-\\-'],
  ])('as paragraphs %j', (text, markdown) => {
    expect(printParagraphs(text)).toBe(markdown);
  });
});

describe('links', () => {
  test.each([
    ['index.md', '[x](index.md)'],
    ['#a_b', '[x](#a_b)'],
    ['a b(c).json', '[x](a%20b%28c%29.json)'],
    ['a|<`>{}\\"', '[x](a%7C%3C%60%3E%7B%7D%5C%22)'],
    ['名.json', '[x](名.json)'],
  ])('%j', (href, markdown) => {
    expect(printLink('x', href)).toBe(markdown);
  });
});

describe('JSON blocks', () => {
  test('give Liquid nothing to run and keep the value', () => {
    const value = { a: '{{ x }} {% raw %} {{{', '{%': [{}, []] };
    const block = printJsonBlock(value);
    expect(block).not.toMatch(/\{[{%]/);
    expect(JSON.parse(block.slice('```json\n'.length, -'\n```'.length))).toEqual(value);
  });

  test('keep what is short on one line', () => {
    const long = 'x'.repeat(90);
    expect(printJsonBlock({ a: [1, 2], b: [long, {}], c: [] })).toBe(
      [
        '```json',
        '{',
        '  "a": [1, 2],',
        '  "b": [',
        `    "${long}",`,
        '    {}',
        '  ],',
        '  "c": []',
        '}',
        '```',
      ].join('\n'),
    );
  });
});

describe('tables', () => {
  test('leave out empty columns, and are nothing without rows', () => {
    expect(
      printTable(
        ['A', 'B', 'C'],
        [
          ['1', '', '2'],
          ['3', '', ''],
        ],
      ),
    ).toBe('| A | C |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |');
    expect(printTable(['A'], [])).toBe('');
  });
});

describe('headings', () => {
  test.each([
    ['Where the data lives', 'where-the-data-lives'],
    ['catalog.json: components', 'catalogjson-components'],
    ['create_plan', 'create_plan'],
    ['Größe 名前', 'größe-名前'],
    ['A  b-c', 'a--b-c'],
  ])('%j', (heading, anchor) => {
    expect(slugOf(heading)).toBe(anchor);
  });

  test('never share an anchor', () => {
    const headings = createHeadings(['Rules']);
    const claimed = [
      headings.claim('Role', 'a.json'),
      headings.claim('role', 'b.json'),
      headings.claim('Rules', 'a.json'),
      headings.claim('Role', 'b.json'),
    ];
    expect(claimed).toEqual([
      { heading: 'Role', anchor: 'role' },
      { heading: 'role (b.json)', anchor: 'role-bjson' },
      { heading: 'Rules (a.json)', anchor: 'rules-ajson' },
      { heading: 'Role (b.json 2)', anchor: 'role-bjson-2' },
    ]);
  });
});
