/** What authors of agents see of the port is the port. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The port as one declaration file that imports nothing but the contract; `vitest -u` writes it anew. */
function derivePort(): string {
  const port = readFileSync('src/agents/port.ts', 'utf8');
  const core = readFileSync('src/core/task.ts', 'utf8');
  const [line = '', names = ''] = /^import type \{ ([^}]+) \} from '\.\.\/core\/task\.ts';\n/m.exec(
    port,
  )!;
  const declarations = collect(core, names.split(', '));
  const [head, ...rest] = port.replace(line, '').split('\n\n');
  return [
    `// Derived from src/agents/port.ts and src/core/task.ts by test/agents/defined-port.test.ts. Do not edit.\n${head!}`,
    ...declarations,
    ...rest,
  ].join('\n\n');
}

/** Declarations of these names, and of those that they mention, as they stand in the source and in its order. */
function collect(source: string, names: readonly string[]): string[] {
  const all = [
    ...source.matchAll(
      /\/\*\*(?:(?!\*\/)[^])*\*\/\nexport (?:interface|type) (\w+)(?:[^\n]*;| \{\n[^]*?\n\})(?=\n)/g,
    ),
  ];
  const wanted = new Set(names);
  for (let size = 0; size !== wanted.size;) {
    size = wanted.size;
    for (const [text, name] of all) {
      if (!wanted.has(name!)) continue;
      for (const [, other] of all) if (new RegExp(`\\b${other!}\\b`).test(text)) wanted.add(other!);
    }
  }
  return all.filter(([, name]) => wanted.has(name!)).map(([text]) => text);
}

it('src/agents/defined/port.d.mts is the port', async () => {
  await expect(derivePort()).toMatchFileSnapshot('../../src/agents/defined/port.d.mts');
});
