/** The agent card: what is pinned, what is made for another address, what is refused. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractPackage } from '../support/contract-package.ts';
import { declarationsOf, writePackage } from '../support/contract-package.ts';
import { repository } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

interface Extension {
  uri: string;
  description: string;
  params?: Record<string, unknown>;
}
interface Card {
  name: string;
  version: string;
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
  capabilities: { extensions: Extension[]; [ability: string]: unknown };
  skills: { id: string; tags: string[] }[];
  [member: string]: unknown;
}
interface CardModule {
  AGENT_CARD: Card;
  createAgentCard: (options: Record<string, unknown>) => Card;
}

let contract: ContractPackage;
let pinned: Card;
let card: CardModule;
let extensions: readonly Extension[];
beforeAll(async () => {
  contract = writePackage();
  pinned = JSON.parse(contract.files.get('agent-card.json') ?? '') as Card;
  card = (await contract.load('agent-card.js')) as CardModule;
  ({ EXTENSIONS: extensions } = (await contract.load('index.js')) as { EXTENSIONS: Extension[] });
});
afterAll(() => {
  contract.remove();
});

describe('the pinned card', () => {
  it('has every member that A2A 1.0 requires, in the order of its definition', () => {
    expect(Object.keys(pinned)).toEqual([
      'name',
      'description',
      'supportedInterfaces',
      'version',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ]);
    for (const skill of pinned.skills) {
      expect(Object.keys(skill)).toEqual(
        expect.arrayContaining(['id', 'name', 'description', 'tags']),
      );
    }
  });

  it('is that of the default address', () => {
    expect(pinned).toEqual(card.createAgentCard({ baseUrl: 'http://127.0.0.1:4180/' }));
    expect(pinned.supportedInterfaces).toEqual([
      { url: 'http://127.0.0.1:4180/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'http://127.0.0.1:4180/', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]);
  });

  it('lists the extensions in order, none of them required', () => {
    const names = ['task/v1', 'channel/v1', 'a2ui/v0.9.1', 'status/v1', 'commands/v1'];
    const { extensions: listed } = pinned.capabilities;
    expect(listed).toEqual(extensions);
    expect(listed.map(({ uri }) => uri.split('/').slice(-2).join('/'))).toEqual(names);
    expect(listed.filter((each) => 'required' in each)).toEqual([]);
  });

  it('leaves empty argument hints out', () => {
    const { commands } = pinned.capabilities.extensions.at(-1)?.params as { commands: object[] };
    expect(commands).toContainEqual({ name: 'status', description: expect.any(String) as string });
  });
});

const recording = join(repository, '..', 'shared', 'corpora', 'upstream', 'agent-card.json');
describe.skipIf(!existsSync(recording))('against the recorded card of the Python package', () => {
  it('differs in what is named here, and in nothing else', () => {
    const text = readFileSync(recording, 'utf8').replaceAll('BASE', 'http://127.0.0.1:4180');
    const recorded = JSON.parse(text) as Card;
    const { description, skills, capabilities, ...same } = pinned;
    const { extensions: ours, ...abilities } = capabilities;
    const { description: theirWords, capabilities: theirs, ...others } = recorded;
    const { extensions: recordedExtensions, ...theirAbilities } = theirs;

    expect(same).toEqual(others);
    expect(abilities).toEqual(theirAbilities);
    // In our own words.
    expect(description).not.toBe(theirWords);
    // A2A requires skills; the recorded card has none.
    expect(recorded).not.toHaveProperty('skills');
    expect(skills.map(({ id }) => id)).toEqual(['task']);
    // The commands: two more (help, plan), our own words, empty hints left out.
    const [ourCommands, theirCommands] = [ours.at(-1), recordedExtensions.at(-1)].map(
      (extension) => extension?.params?.commands as { name: string; argument_hint?: string }[],
    );
    expect(ours.slice(0, -1)).toEqual(recordedExtensions.slice(0, -1));
    expect({ ...ours.at(-1), params: 0 }).toEqual({ ...recordedExtensions.at(-1), params: 0 });
    const hints = (list: typeof ourCommands): unknown =>
      list?.map(({ name, argument_hint = '' }) => [name, argument_hint]);
    expect(hints(ourCommands)).toEqual([
      ...(hints(theirCommands) as unknown[]),
      ['help', ''],
      ['plan', ''],
    ]);
  });
});

describe('a card for another address', () => {
  it.each([
    ['https://agent.example', 'https://agent.example/'],
    ['https://agent.example/a2a', 'https://agent.example/a2a/'],
    ['https://agent.example/a2a/', 'https://agent.example/a2a/'],
    [new URL('http://[::1]:4180'), 'http://[::1]:4180/'],
  ])('%s', (baseUrl, url) => {
    const urls = card.createAgentCard({ baseUrl }).supportedInterfaces.map((each) => each.url);
    expect(urls).toEqual([url, url]);
  });

  it.each([
    ['agent.example', 'baseUrl "agent.example" is not an absolute URL'],
    ['', 'baseUrl "" is not an absolute URL'],
    [undefined, 'baseUrl "undefined" is not an absolute URL'],
    ['ws://agent.example/', 'baseUrl "ws://agent.example/" is neither http: nor https:'],
    [
      'https://agent.example/?a=1',
      'baseUrl "https://agent.example/?a=1" has a query or a fragment',
    ],
    ['https://agent.example/#a', 'baseUrl "https://agent.example/#a" has a query or a fragment'],
    ['https://me:secret@agent.example/', 'baseUrl "https://agent.example/" came with credentials'],
  ])('refuses %j and says why', (baseUrl, message) => {
    expect(() => card.createAgentCard({ baseUrl })).toThrow(TypeError);
    expect(() => card.createAgentCard({ baseUrl })).toThrow(message);
  });

  it('takes what is given in the place of what the source says', () => {
    const securitySchemes = { token: { httpAuthSecurityScheme: { scheme: 'Bearer' } } };
    const securityRequirements = [{ schemes: { token: { list: [] } } }];
    const provider = { organization: 'Acme', url: 'https://acme.example/' };
    const given = {
      name: 'mine',
      version: '2.0.0',
      documentationUrl: 'https://acme.example/docs',
      iconUrl: 'https://acme.example/icon.png',
    };
    const made = card.createAgentCard({
      ...{ baseUrl: 'https://agent.example/', provider, securitySchemes, securityRequirements },
      ...given,
      streaming: false,
      extendedAgentCard: true,
      description: undefined,
    });
    expect(made).toMatchObject({ ...given, provider, securitySchemes, securityRequirements });
    expect(made.description).toBe(pinned.description);
    expect(made.capabilities).toEqual({
      ...pinned.capabilities,
      streaming: false,
      extendedAgentCard: true,
    });
  });

  it('is new at every depth; the source cannot be changed', () => {
    const made = card.createAgentCard({ baseUrl: 'https://agent.example/' });
    made.skills[0]?.tags.push('changed');
    made.capabilities.extensions.pop();
    expect(card.createAgentCard({ baseUrl: 'http://127.0.0.1:4180/' })).toEqual(pinned);
    expect(() => card.AGENT_CARD.skills.pop()).toThrow(TypeError);
    expect(() => card.AGENT_CARD.capabilities.extensions[2]?.params).not.toThrow();
    expect(Object.isFrozen(card.AGENT_CARD.capabilities.extensions[2]?.params)).toBe(true);
  });

  it('has the types of A2A 1.0', () => {
    const use = `
      import { AGENT_CARD, createAgentCard } from './contract/agent-card.js';
      import type { AgentCard, AgentSkill, SecurityScheme } from './contract/agent-card.js';
      import { commandsV1 } from './contract/index.js';

      const scheme: SecurityScheme = { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } };
      const card: AgentCard = createAgentCard({
        baseUrl: { href: 'https://agent.example/' },
        iconUrl: undefined,
        securitySchemes: { key: scheme },
        securityRequirements: [{ schemes: { key: { list: [] } } }],
      });
      card.skills satisfies AgentSkill[];
      commandsV1.readParams(card);
      commandsV1.readParams(AGENT_CARD);
      // @ts-expect-error the address is needed
      createAgentCard({});
      // @ts-expect-error the source has no addresses
      AGENT_CARD.supportedInterfaces[0].url;
      // @ts-expect-error and it is read-only
      AGENT_CARD.name = 'x';
    `;
    const texts = new Map([...declarationsOf(contract), ['use.ts', use]]);
    expect(checkTypes(texts)).toEqual([]);
  });
});
