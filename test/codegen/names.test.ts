/** What a schema document is called in code when its author gives it no title. */
import { expect, test } from 'vitest';
import { documentTypeName } from '../../codegen/names.ts';

test.each([
  ['schemas/extensions/vote-box/v1/schema.json', {}, 'VoteBox'],
  ['schemas/extensions/vote-box/v1/schema.json', { title: 'Ballot' }, 'Ballot'],
  ['schemas/extensions/vote-box/v1/round.schema.json', {}, 'Round'],
  ['node_modules/acme-shapes/extensions/schema.json', {}, 'Schema'],
])('%s %j is called %s', (path, root, name) => {
  expect(documentTypeName({ root, file: { path } })).toBe(name);
});
