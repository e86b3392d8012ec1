/** What a consumer's editor reads of the package: every export is there, and explained. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Project, SyntaxKind } from 'ts-morph';
import type { ExportedDeclarations, JSDocableNode, SourceFile } from 'ts-morph';
import { describe, expect, test } from 'vitest';

const files = readdirSync('generated', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.d.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes('node_modules'))
  .sort();

const project = new Project({ skipAddingFilesFromTsConfig: true });
project.addSourceFilesAtPaths(files);

/** A package's schemas are described as their authors liked. */
const FOREIGN =
  /extensions\/a2ui\/.*\/(?:catalog|common-types|client-to-server|server-to-client)\./;

function ownExports(file: SourceFile): readonly [string, ExportedDeclarations][] {
  return [...file.getExportedDeclarations()].flatMap(([name, declarations]) =>
    declarations
      .filter((each) => each.getSourceFile() === file)
      .map((each) => [name, each] as const),
  ) as [string, ExportedDeclarations][];
}

const VALUES = [
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.ClassDeclaration,
  // What `export * as name` stands for.
  SyntaxKind.SourceFile,
];

function isValue(declaration: ExportedDeclarations): boolean {
  return VALUES.includes(declaration.getKind());
}

function comment(declaration: ExportedDeclarations): string {
  const holder =
    declaration.asKind(SyntaxKind.VariableDeclaration)?.getVariableStatement() ?? declaration;
  const docs = 'getJsDocs' in holder ? (holder as JSDocableNode).getJsDocs() : [];
  return docs.map((doc) => doc.getInnerText()).join('\n');
}

describe.each(files)('%s', (path) => {
  const file = project.getSourceFileOrThrow(path);

  test('declares exactly the values that its module exports', async () => {
    const module = (await import(pathToFileURL(path.replace(/\.d\.ts$/, '.js')).href)) as object;
    const declared = [...file.getExportedDeclarations()]
      .filter(([, declarations]) => declarations.some(isValue))
      .map(([name]) => name);
    expect(declared.sort()).toEqual(Object.keys(module).sort());
  });

  test.skipIf(FOREIGN.test(path))('explains every export', () => {
    const silent = ownExports(file).filter(([, each]) => comment(each).trim() === '');
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});
