/** Load: bytes to a project of parsed files, every file's faults named, shapes checked. */
import { explain } from './runtime/explain.js';
import { showGot } from './runtime/wording.js';
import cardMeta from '../schemas/meta/agent-card.schema.json' with { type: 'json' };
import contractMeta from '../schemas/meta/contract.schema.json' with { type: 'json' };
import extensionMeta from '../schemas/meta/extension.schema.json' with { type: 'json' };
import toolMeta from '../schemas/meta/tool.schema.json' with { type: 'json' };
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import type { JsonObject } from './json.ts';
import { isObject, joinPointer, parseJson } from './json.ts';
import type { ContractConfig, ExtensionManifest, PackageSource, ToolFile } from './manifest.ts';
import type { CodeModule } from './hand-written.ts';
import { isCodePath, loadCode } from './hand-written.ts';
import { hintFromMeta } from './meta-hints.ts';
import type { ProjectFiles } from './read.ts';
import { checkFolderNames, findMisplaced } from './placement.ts';
import { packagePath } from './read.ts';
import type { SchemaSet } from './schema-sets.ts';
import { listModules, loadSets } from './schema-sets.ts';
import type { SourceFile, Stage } from './source.ts';

/** One version of an extension: its manifest and every other file of its folder. */
export interface ExtensionSource {
  readonly name: string;
  readonly version: string;
  readonly file: SourceFile;
  readonly manifest: ExtensionManifest;
  readonly files: readonly SourceFile[];
  readonly packages: readonly PackageSchema[];
}

/** A schema taken from a package, under the URI by which references find it. */
export interface PackageSchema {
  readonly uri: string;
  readonly source: PackageSource;
  readonly file: SourceFile;
  /** Position of the entry in the manifest's `packages`. */
  readonly index: number;
}

/** One tool. */
export interface ToolSource {
  readonly file: SourceFile;
  readonly tool: ToolFile;
}

/** A whole project, parsed and of the right shape. */
export interface Project {
  readonly config: ContractConfig;
  readonly configFile: SourceFile;
  readonly card: JsonObject | undefined;
  readonly cardFile: SourceFile | undefined;
  readonly extensions: readonly ExtensionSource[];
  readonly sets: readonly SchemaSet[];
  readonly code: readonly CodeModule[];
  readonly tools: readonly ToolSource[];
  readonly meta: readonly SourceFile[];
  /** The version that releases last gave the generated package. */
  readonly packageVersion: string;
  /** The text of the project's licence, published with the package. */
  readonly licenseText: string | undefined;
}

const CONFIG = 'schemas/contract.json';
const CARD = 'schemas/agent-card.json';
const MANIFEST = /^schemas\/extensions\/([^/]+)\/([^/]+)\/extension\.json$/;
const VERSION = /^schemas\/extensions\/[^/]+\/[^/]+\//;
const TOOL = /^schemas\/tools\/[^/]+\.json$/;
const CONTENT = /^schemas\/(extensions|tools)\//;
const META = /^schemas\/meta\/[^/]+\.json$/;

/** Parses all files of a project and checks the shape of those with a meta schema. */
export function loadProject(input: ProjectFiles): Stage<Project> {
  return new Loader(input).load();
}

class Loader {
  private readonly input: ProjectFiles;
  private readonly diagnostics: Diagnostic[] = [];
  private readonly sources = new Map<string, SourceFile>();

  constructor(input: ProjectFiles) {
    this.input = input;
  }

  load(): Stage<Project> {
    // In one order, whatever order they came in: of two that collide the first is the same then.
    for (const path of [...this.input.files.keys()].sort()) {
      if (path.startsWith('schemas/') && path.endsWith('.json')) this.parse(path);
    }
    const configFile = this.sources.get(CONFIG);
    if (configFile === undefined) {
      this.missing(
        CONFIG,
        'it says how the package is called and where its schemas are published',
        'Create it with "name", "description", "license" and "baseUrl".',
      );
    }
    this.checkFolders();
    const config = this.shaped(configFile, contractMeta, 'CONTRACT_SHAPE');
    const cardFile = this.sources.get(CARD);
    const card = this.shaped(cardFile, cardMeta, 'CARD_SHAPE');
    const extensions = this.loadExtensions();
    const sets = this.loadSets(configFile, config);
    const code = this.loadCode(configFile, config);
    const tools = this.loadTools();
    const { diagnostics } = this;
    if (config === undefined || configFile === undefined || diagnostics.length > 0) {
      return { value: undefined, diagnostics };
    }
    const value: Project = {
      configFile,
      config: config as unknown as ContractConfig,
      cardFile,
      card,
      extensions,
      sets,
      code,
      tools,
      meta: this.matching(META),
      packageVersion: this.packageVersion(),
      licenseText: decodeText(this.input.files.get('LICENSE')),
    };
    return { value, diagnostics: [] };
  }

  private loadExtensions(): readonly ExtensionSource[] {
    const folders = this.filesByFolder();
    return this.matching(MANIFEST).flatMap((file) => {
      const [, name = '', version = ''] = MANIFEST.exec(file.path) ?? [];
      const shaped = this.shaped(file, extensionMeta, 'MANIFEST_SHAPE');
      if (shaped === undefined) return [];
      const manifest = shaped as unknown as ExtensionManifest;
      const folder = folders.get(folderOf(file)) ?? [];
      const files = folder.filter((source) => source !== file);
      const packages = (manifest.packages ?? []).flatMap((source, index) =>
        this.loadPackage(file, source, index),
      );
      return [{ name, version, file, manifest, files, packages }];
    });
  }

  private loadTools(): readonly ToolSource[] {
    return this.matching(TOOL).flatMap((file) => {
      const tool = this.shaped(file, toolMeta, 'TOOL_SHAPE');
      return tool === undefined ? [] : [{ file, tool: tool as unknown as ToolFile }];
    });
  }

  private loadSets(
    file: SourceFile | undefined,
    config: JsonObject | undefined,
  ): readonly SchemaSet[] {
    if (file === undefined || config === undefined) return [];
    const loaded = loadSets(file, config as unknown as ContractConfig, this.sources);
    this.diagnostics.push(...loaded.diagnostics);
    return loaded.sets;
  }

  private loadCode(
    file: SourceFile | undefined,
    config: JsonObject | undefined,
  ): readonly CodeModule[] {
    if (file === undefined || config === undefined) return [];
    const texts = new Map<string, string>();
    for (const [path, bytes] of [...this.input.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!isCodePath(path)) continue;
      const text = decodeText(bytes);
      if (text === undefined) this.addEncodingFault(path, bytes);
      texts.set(path, text ?? '');
    }
    const loaded = loadCode(file, config as unknown as ContractConfig, texts);
    this.diagnostics.push(...loaded.diagnostics);
    return loaded.code;
  }

  private filesByFolder(): ReadonlyMap<string, readonly SourceFile[]> {
    const folders = new Map<string, SourceFile[]>();
    for (const source of this.sources.values()) {
      const folder = folderOf(source);
      folders.set(folder, [...(folders.get(folder) ?? []), source]);
    }
    return folders;
  }

  private loadPackage(manifest: SourceFile, source: PackageSource, index: number): PackageSchema[] {
    const pointer = `/packages/${String(index)}`;
    const about = this.parse(packagePath(source.name, 'package.json'));
    if (about === undefined) {
      const hint = `Install it: npm install --save-dev --save-exact ${source.name}@${source.version}`;
      const message = `the package ${source.name} is not installed`;
      this.add(diagnose('PACKAGE_SCHEMA', manifest, `${pointer}/name`, message, { hint }));
      return [];
    }
    const version = isObject(about.json.value) ? about.json.value.version : undefined;
    if (version !== source.version) {
      const message = `${source.name} is installed as ${JSON.stringify(version)}, the manifest names "${source.version}"`;
      const hint = 'Install the version named here, or review the new one and name it here.';
      this.add(diagnose('PACKAGE_SCHEMA', manifest, `${pointer}/version`, message, { hint }));
    }
    return Object.entries(source.schemas).flatMap(([uri, path]) => {
      const file = this.parse(packagePath(source.name, path));
      if (file !== undefined) return [{ uri, source, file, index }];
      const place = joinPointer(pointer, 'schemas', uri);
      const message = `the package ${source.name} ${source.version} has no file ${path}`;
      const hint = `Paths start at the package's root, ${packagePath(source.name, '')}.`;
      this.add(diagnose('PACKAGE_SCHEMA', manifest, place, message, { hint }));
      return [];
    });
  }

  private parse(path: string): SourceFile | undefined {
    const known = this.sources.get(path);
    if (known !== undefined) return known;
    const bytes = this.input.files.get(path);
    if (bytes === undefined) return undefined;
    const text = decodeText(bytes);
    const json = parseJson(text ?? '{}');
    const source = { path, text: text ?? '', json };
    this.sources.set(path, source);
    if (text === undefined) this.addEncodingFault(path, bytes);
    for (const fault of json.faults) {
      const rule = fault.kind === 'duplicate-key' ? 'JSON_DUPLICATE_KEY' : 'JSON_SYNTAX';
      const { pointer, message, position } = fault;
      this.add({ rule, file: path, pointer, ...position, message });
    }
    if (json.faults.length === 0 && !isObject(json.value)) {
      const message = `the file must hold a JSON object; got ${showGot(json.value)}`;
      this.add(diagnose('JSON_OBJECT', source, '', message));
    }
    return source;
  }

  /** A file's value when its meta schema accepts it; each violation becomes a diagnostic. */
  private shaped(
    source: SourceFile | undefined,
    meta: unknown,
    rule: string,
  ): JsonObject | undefined {
    if (source === undefined || source.json.faults.length > 0) return undefined;
    const { value } = source.json;
    if (!isObject(value)) return undefined;
    const errors = explain(meta as JsonObject, value);
    for (const error of errors) {
      const key = error.keyword === 'additionalProperties';
      const hint = hintFromMeta(meta as JsonObject, error, value);
      const options = hint === undefined ? { key } : { key, hint };
      this.add(diagnose(rule, source, error.path, error.message, options));
    }
    return errors.length > 0 ? undefined : value;
  }

  private matching(pattern: RegExp): readonly SourceFile[] {
    return [...this.sources.values()].filter(({ path }) => pattern.test(path));
  }

  private packageVersion(): string {
    const file = this.input.files.get('generated/package.json');
    const { value } = parseJson(decodeText(file) ?? '');
    const version = isObject(value) ? value.version : undefined;
    return typeof version === 'string' ? version : '0.1.0';
  }

  /** Files where nothing reads them, and a folder or a contract that lacks what it is there for. */
  private checkFolders(): void {
    const sources = [...this.sources.values()];
    const configFile = this.sources.get(CONFIG);
    const modules = listModules(configFile?.json.value);
    const misplaced = findMisplaced(sources, modules);
    this.diagnostics.push(...misplaced, ...checkFolderNames(sources));
    const content = modules.paths.size + this.matching(CONTENT).length;
    const empty = misplaced.length === 0 && content === 0;
    if (empty && configFile !== undefined) {
      const message =
        'there is no extension, no tool and no module, so there is nothing to generate';
      const hint =
        'Add schemas/extensions/<name>/v1/extension.json with a schema.json beside it, or schemas/tools/<name>.json.';
      this.add(diagnose('FILE_MISSING', configFile, '', message, { hint }));
    }
    const paths = [...this.sources.keys()].flatMap((path) => VERSION.exec(path)?.[0] ?? []);
    for (const folder of new Set(paths)) {
      const manifest = `${folder}extension.json`;
      if (this.sources.has(manifest)) continue;
      this.missing(
        manifest,
        'it says what the extension is called and where its data lives',
        'Add it, or move the files beside it out of schemas/extensions/.',
      );
    }
  }

  private missing(file: string, why: string, hint: string): void {
    const message = `there is no ${file}; ${why}`;
    this.add({ rule: 'FILE_MISSING', file, pointer: '', line: 1, column: 1, message, hint });
  }

  private addEncodingFault(path: string, bytes: Uint8Array): void {
    const { line, column } = findInvalidUtf8(bytes);
    const message = 'the file is not UTF-8; save it as UTF-8';
    this.add({ rule: 'JSON_ENCODING', file: path, pointer: '', line, column, message });
  }

  private add(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }
}

/** The folder of an extension's version: `schemas/extensions/<name>/<version>`. */
function folderOf({ path }: SourceFile): string {
  return path.split('/').slice(0, 4).join('/');
}

/** UTF-8 with or without a byte-order mark; undefined when it is not UTF-8, or nothing at all. */
function decodeText(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}

/** Where the first byte stands that is not UTF-8: its line, and the column counted in bytes. */
function findInvalidUtf8(bytes: Uint8Array): { line: number; column: number } {
  const replaced = new TextDecoder('utf-8').decode(bytes);
  const before = replaced.slice(0, Math.max(0, replaced.indexOf('\uFFFD')));
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
