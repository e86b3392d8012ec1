/** The shapes of the files a project is made of, as `schemas/meta/` describes and checks them. */
import type { Json, JsonObject } from './json.ts';

/** `schemas/contract.json`: the package as a whole. */
export interface ContractConfig {
  readonly name: string;
  readonly description: string;
  readonly license: string;
  /** Where the documents are published; its last path segment is the folder under `docs/`. */
  readonly baseUrl: string;
  readonly repository?: string;
  readonly modules?: readonly ModuleEntry[];
  readonly code?: readonly CodeEntry[];
}

/** Hand-written code that the package brings along. */
export interface CodeEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Schemas that belong to no extension and no tool. */
interface ModuleEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Paths below `schemas/`. */
  readonly schemas: readonly string[];
}

/** The A2A structures whose `metadata` an extension may write, and the two other places. */
export type DataLocation =
  | 'task.metadata'
  | 'status-update.metadata'
  | 'artifact-update.metadata'
  | 'message.metadata'
  | 'part.metadata'
  | 'artifact.metadata'
  | 'request.metadata'
  | 'part'
  | 'card.params';

/** One piece of data of an extension: where it lives and what schema it has. */
export interface DataEntry {
  readonly name: string;
  readonly in: readonly DataLocation[];
  readonly key?: string;
  readonly mediaType?: string;
  readonly by?: 'agent' | 'client' | 'both';
  readonly schema: string;
  readonly description: string;
  readonly value?: Json;
  readonly valueFile?: string;
  readonly examples?: { readonly minimal?: Json; readonly full?: Json };
}

/** Schemas that stay in an npm package, under the URIs by which references find them. */
export interface PackageSource {
  readonly name: string;
  readonly version: string;
  readonly schemas: Readonly<Record<string, string>>;
  readonly amend?: readonly Amendment[];
}

/** One value of a package's schema that the contract sets otherwise, and why. */
interface Amendment {
  readonly schema: string;
  readonly pointer: string;
  readonly to: Json;
  readonly because: string;
}

/** A rule that users of an extension follow. */
interface ExtensionRule {
  readonly id: string;
  readonly text: string;
}

/** `extension.json`. */
export interface ExtensionManifest {
  readonly title: string;
  readonly uri: string;
  readonly description: string;
  readonly purpose: string;
  readonly order?: number;
  readonly required?: boolean;
  readonly activation: 'negotiated' | 'always';
  readonly mediaType?: string;
  readonly data: readonly DataEntry[];
  readonly packages?: readonly PackageSource[];
  readonly rules?: readonly ExtensionRule[];
}

/** `schemas/tools/<tool>.json`. */
export interface ToolFile {
  readonly name: string;
  readonly description: string;
  readonly execution: string;
  readonly idempotency: 'idempotent' | 'not_idempotent';
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject | null;
}
