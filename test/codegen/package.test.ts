/** The package around the generated modules: what it exports, what its README shows, how it loads. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import type { ContractPackage } from '../support/contract-package.ts';
import { declarationsOf, writePackage } from '../support/contract-package.ts';
import { baseUrl, renderAll, repository, toFiles } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

interface PackageManifest {
  name: string;
  version: string;
  files: readonly string[];
  exports: Record<string, string | { types: string; default: string }>;
  [member: string]: unknown;
}

const NAME = '@tiny-harness/contract';

let contract: ContractPackage;
let manifest: PackageManifest;
beforeAll(() => {
  contract = writePackage();
  manifest = JSON.parse(contract.files.get('package.json') ?? '') as PackageManifest;
});
afterAll(() => {
  contract.remove();
});

/** Runs a program beside the package, and returns what it prints. */
function run(file: string, code: string): string {
  writeFileSync(join(contract.folder, file), code);
  return execFileSync(process.execPath, [file], { cwd: contract.folder, encoding: 'utf8' });
}

describe('package.json', () => {
  it('says what the contract says, and keeps the version that releases gave it', () => {
    const read = (path: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(repository, path), 'utf8')) as Record<string, unknown>;
    const { name, description, license } = read('schemas/contract.json');
    const { version } = read('generated/package.json');
    expect(manifest).toMatchObject({ name, description, license, version, type: 'module' });
    expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20.20' } });
    for (const kind of ['dependencies', 'peerDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(kind);
    }
  });

  it('exports every module, and nothing that is not there', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : [target.types, target.default],
    );
    const paths = targets.map((target) => posix.normalize(target));
    for (const path of paths) {
      const found = [...contract.files.keys()].filter((file) =>
        path.endsWith('*') ? file.startsWith(path.slice(0, -1)) : file === path,
      );
      expect([path, found.length > 0]).toEqual([path, true]);
    }
    const modules = [...contract.files.keys()].filter(
      (path) => path.endsWith('.js') && !/^runtime\/|\.validator\.js$/.test(path),
    );
    expect(modules.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('names types first, for compilers take the first condition that fits', () => {
    for (const target of Object.values(manifest.exports)) {
      if (typeof target !== 'string') expect(Object.keys(target)).toEqual(['types', 'default']);
    }
  });

  it('publishes everything but the list of what was generated', () => {
    const published = (path: string): boolean =>
      manifest.files.some((entry) => path === entry || path.startsWith(`${entry}/`));
    const always = ['package.json', 'README.md', 'LICENSE'];
    const left = [...contract.files.keys()].filter((path) => !published(path));
    expect(left.filter((path) => !always.includes(path))).toEqual([]);
    expect(published('manifest.json')).toBe(false);
  });

  it('is found in order by publint', async () => {
    const pkgDir = join(contract.folder, 'node_modules', ...NAME.split('/'));
    expect((await publint({ pkgDir, strict: true, pack: false })).messages).toEqual([]);
  });
});

it('carries the licence', () => {
  const text = readFileSync(join(repository, 'LICENSE'), 'utf8');
  expect(contract.files.get('LICENSE')?.trim()).toBe(text.trim());
});

describe('the index', () => {
  it('loads by import and by require', () => {
    const names = '["channelV1","taskV1",12,"function"]';
    const print = `console.log(JSON.stringify([...Object.keys(c).filter((name) => /^(task|channel)V1$/.test(name)), c.TOOL_NAMES.length, typeof c.taskV1.readTaskExtension]));`;
    expect(run('use.mjs', `import * as c from '${NAME}';\n${print}`).trim()).toBe(names);
    expect(run('use.cjs', `const c = require('${NAME}');\n${print}`).trim()).toBe(names);
  });

  it('lists the extensions in the order of the card', async () => {
    const index = (await contract.load('index.js')) as { EXTENSIONS: { uri: string }[] };
    const card = JSON.parse(contract.files.get('agent-card.json') ?? '') as {
      capabilities: { extensions: { uri: string }[] };
    };
    expect(index.EXTENSIONS).toEqual(card.capabilities.extensions);
    expect(Object.isFrozen(index.EXTENSIONS)).toBe(true);
  });
});

/** How a consumer's compiler finds the package: through its manifest. */
function installed(): Map<string, string> {
  const entries = [...contract.files].filter(([path]) => /\.d\.ts$|\.json$/.test(path));
  return new Map(entries.map(([path, text]) => [`node_modules/${NAME}/${path}`, text]));
}

it('types extensions, tools, card and results', () => {
  const use = `
    import { ContractError, EXTENSIONS, formatErrors, taskV1, unwrap } from '${NAME}';
    import type { AgentCard, ExtensionUri, Result, ToolName, ValidationError } from '${NAME}';
    import { parseTaskExtensionData } from '${NAME}/task/v1/task';
    import { OPENAI_TOOLS } from '${NAME}/tools/openai';
    import type { CreatePlanArguments } from '${NAME}/tools/create-plan';
    import card from '${NAME}/agent-card.json' with { type: 'json' };
    import schema from '${NAME}/schemas/task/v1/schema.json' with { type: 'json' };

    EXTENSIONS[0].uri satisfies typeof taskV1.URI;
    const uri: ExtensionUri = taskV1.URI;
    // @ts-expect-error no extension of the contract
    const other: ExtensionUri = 'https://example.com/';
    const result = parseTaskExtensionData({}) satisfies Result<taskV1.TaskExtensionData>;
    if (!result.ok) formatErrors(result.errors satisfies readonly ValidationError[]);
    unwrap(result).participants satisfies unknown[];
    card.supportedInterfaces satisfies AgentCard['supportedInterfaces'];
    schema.title satisfies string;
    OPENAI_TOOLS[0].function.name satisfies ToolName;
    void [uri, other, ContractError, {} as CreatePlanArguments];
  `;
  const module = { resolveJsonModule: true };
  expect(checkTypes(new Map([...installed(), ['use.mts', use]]), module)).toEqual([]);
});

describe('the README', () => {
  const blocks = (): string[] =>
    [...(contract.files.get('README.md') ?? '').matchAll(/```js\n([^]*?)```/g)].map(
      ([, code = '']) => code,
    );

  it('shows each extension, the code for clients, the tools and the card', () => {
    const imports = blocks().map(
      (code) => [...code.matchAll(/from ["']([^"']+)["']/g)].at(-1)?.[1],
    );
    expect(imports).toEqual([
      `${NAME}/task/v1`,
      `${NAME}/channel/v1`,
      `${NAME}/a2ui/v0.9.1`,
      `${NAME}/status/v1`,
      `${NAME}/commands/v1`,
      NAME,
      `${NAME}/tools/anthropic`,
      NAME,
    ]);
  });

  it('shows programs that run, and find what they look for', () => {
    for (const code of blocks()) {
      const output = run('example.mjs', code.replaceAll('console.error', 'throw new Error'));
      expect(output).not.toMatch(/there is none/);
      expect(output.trim()).not.toBe('');
    }
  });

  it('shows programs that compile', () => {
    const programs = blocks().map((code, index) => [`example-${String(index)}.mts`, code] as const);
    const lib = ['lib.es2022.d.ts', 'lib.dom.d.ts'];
    expect(checkTypes(new Map([...installed(), ...programs]), { lib })).toEqual([]);
  });

  it('shows how to use it with an SDK whose objects are not ProtoJSON', () => {
    const readme = contract.files.get('README.md') ?? '';
    const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const files = new Map([...installed(), ['example.mts', code]]);
    expect(code).toContain('createAgentCard');
    // The SDK's declarations lean on Node's.
    const node = { lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], types: ['node'], skipLibCheck: true };
    expect(checkTypes(files, node)).toEqual([]);
  });

  it('names everything that may differ on a card', () => {
    const readme = contract.files.get('README.md') ?? '';
    const [, list = ''] = /What else may differ from what the card says:\n(.*)/.exec(readme) ?? [];
    const types = contract.files.get('runtime/agent-card.d.ts') ?? '';
    const options = /interface AgentCardOptions \{([^]*?)\n\}/.exec(types)?.[1] ?? '';
    const names = [...options.matchAll(/^ {2}readonly (\w+)\??: /gm)].map(([, name]) => name);
    const shown = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(shown).toEqual(names.filter((name) => name !== 'baseUrl'));
  });

  it('says that a media type does not tell two sorts of parts apart', () => {
    expect(contract.files.get('README.md')).toContain(
      'so `isUiMessagePart` and `isUiEventPart` say the same of a part. The media type does not ' +
        'tell them apart; the direction does: `uiMessage` comes from the agent and `uiEvent` comes from the client.',
    );
  });

  it('lists every export', () => {
    const readme = contract.files.get('README.md') ?? '';
    for (const path of Object.keys(manifest.exports)) {
      if (path === './package.json') continue;
      const full = NAME + path.slice(1);
      const stem = posix.basename(path);
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${full}\``));
      const shared = readme
        .split('\n')
        .find((line) => line.startsWith(`| \`${posix.dirname(full)}/*\``));
      expect([path, row !== undefined || (shared ?? '').includes(`\`${stem}\``)]).toEqual([
        path,
        true,
      ]);
    }
  });
});

describe('the schema files', () => {
  it('stand alone: each compiles with nothing beside it', () => {
    const schemas = [...contract.files].filter(([path]) => path.startsWith('schemas/'));
    expect(schemas.length).toBeGreaterThan(20);
    for (const [path, text] of schemas) {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      const schema = JSON.parse(text) as JsonObject;
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      expect(() => ajv.compile(schema), path).not.toThrow();
    }
  });

  it('are there for every parser', () => {
    const modules = [...contract.files.keys()].filter((path) => path.endsWith('.validator.js'));
    const schemas = [...contract.files.keys()].filter((path) => path.startsWith('schemas/'));
    expect(schemas).toHaveLength(modules.length);
  });
});

it('needs no schemas of tools, no card and no licence', async () => {
  const config = {
    name: 'bare',
    description: 'A | contract <b>',
    license: 'MIT',
    baseUrl: 'https://acme.example/a2a',
    repository: 'https://acme.example/repository',
  };
  const extension = {
    title: 'Calm',
    uri: 'urn:acme:calm',
    description: 'Slower answers',
    purpose: 'Changes behaviour, and adds no data.',
    required: false,
    activation: 'negotiated',
    data: [],
  };
  const project = toFiles({
    'schemas/contract.json': config,
    'schemas/extensions/calm/v1/extension.json': extension,
  });
  const bare = writePackage(project, 'bare');
  try {
    expect([...bare.files.keys()].filter((path) => !path.startsWith('runtime/'))).toEqual([
      'README.md',
      'extensions/calm/v1/index.d.ts',
      'extensions/calm/v1/index.js',
      'index.d.ts',
      'index.js',
      'package.json',
    ]);
    expect(bare.files.get('package.json')).toContain('"repository"');
    expect(bare.files.get('package.json')).not.toContain('publishConfig');
    expect(bare.files.get('README.md')).toContain('A \\| contract &lt;b&gt;');
    expect(bare.files.get('README.md')).not.toMatch(/ tools |@a2a-js\/sdk/);
    expect(await bare.load('index.js')).toMatchObject({ EXTENSIONS: [{ uri: 'urn:acme:calm' }] });
    expect(checkTypes(declarationsOf(bare))).toEqual([]);
    expect(existsSync(join(bare.folder, 'node_modules', 'bare', 'tools'))).toBe(false);
  } finally {
    bare.remove();
  }
});

it('shows no call of a tool that states none', () => {
  const tool = (examples: readonly object[]): object => ({
    name: 'ask_somebody',
    description: 'Asks. An empty question is an error.',
    execution: 'intrinsic',
    idempotency: 'idempotent',
    input_schema: {
      title: 'AskArguments',
      description: 'What to ask.',
      type: 'object',
      additionalProperties: false,
      required: ['question'],
      properties: { question: { description: 'The question.', type: 'string' } },
      ...(examples.length === 0 ? {} : { examples }),
    },
    output_schema: null,
  });
  const readmeWith = (examples: readonly object[]): string => {
    const config = { name: 'bare', description: 'A contract', license: 'MIT', baseUrl };
    const files = {
      'schemas/contract.json': config,
      'schemas/tools/ask_somebody.json': tool(examples),
    };
    return (
      renderAll(toFiles(files as unknown as Record<string, Json>)).get('generated/README.md') ?? ''
    );
  };
  expect(readmeWith([{ question: 'Who?' }])).toContain(
    `parseToolCall("ask_somebody", '{"question":"Who?"}')`,
  );
  expect(readmeWith([])).toContain('ANTHROPIC_TOOLS');
  expect(readmeWith([])).not.toContain('parseToolCall(');
});
