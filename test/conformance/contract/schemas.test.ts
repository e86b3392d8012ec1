/** E10: the schemas are where their ids say, and the card is the one that is committed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { expect, test } from 'vitest';
import { describeContract } from '../../support/conformance.ts';
import { repository } from '../../support/projects.ts';

const ROOT = 'https://madarauchiha-314.github.io/tiny-harness/';

/** Every JSON file of a folder, by its path from the root. */
function readJson(folder: string): Map<string, { readonly $id?: string }> {
  const names = readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.json'));
  const read = (name: string) =>
    JSON.parse(readFileSync(join(repository, folder, name), 'utf8')) as { $id?: string };
  return new Map(files.map((name) => [name, read(name)]));
}

describeContract('schemas', (kit) => {
  test('E10: each schema is published at the path that its $id names', () => {
    const published = readJson('docs');
    const own = [...readJson('schemas').values()].filter(({ $id }) => $id?.startsWith(ROOT));
    expect(own.length).toBeGreaterThan(30);
    for (const schema of own) expect(published.get(schema.$id!.slice(ROOT.length))).toEqual(schema);
  });

  test('E10: the card that is served is the one that is committed', async () => {
    const path = join(repository, 'generated', 'agent-card.json');
    const committed = JSON.parse(readFileSync(path, 'utf8')) as AgentCard;
    const answer = await fetch(`${kit.subject.url}/.well-known/agent-card.json`);
    const served = (await answer.json()) as AgentCard;
    const at = (url: string) =>
      committed.supportedInterfaces.map((each) => ({ ...each, url: `${url}/` }));
    expect(served).toEqual({ ...committed, supportedInterfaces: at(kit.subject.url) });
  });
});
