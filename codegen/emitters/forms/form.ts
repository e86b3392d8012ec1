/** What the files for model APIs are made of. */
import type { JsonObject } from '../../json.ts';
import type { ContractModel, ToolModel } from '../../model/contract.ts';
import { printJson } from '../print-type.ts';
import { readableInput } from '../tools.ts';
import type { StrictDialect, StrictSchema } from './strict-schema.ts';
import { toStrictSchema } from './strict-schema.ts';

/** One file: constants that its lists share, and the lists. */
export interface ToolForm {
  readonly constants: readonly string[];
  readonly lists: readonly ToolList[];
}

/** An exported list: the text of each entry, and its type. */
export interface ToolList {
  readonly name: string;
  /** The comment above it. */
  readonly about: string;
  readonly entries: readonly string[];
  readonly types: readonly string[];
}

/** A tool and its strict schema, or the reason why it has none. */
export type StrictTool = StrictSchema & { readonly tool: ToolModel };

/** The strict schemas of all tools in a dialect. */
export function strictTools(model: ContractModel, dialect: StrictDialect): readonly StrictTool[] {
  return model.tools.map((tool) => ({
    tool,
    ...toStrictSchema(readableInput(model, tool), dialect),
  }));
}

/** What a strict list's comment says: how strict it is, and which tools are not, and why. */
export function describeStrictList(about: string, tools: readonly StrictTool[]): string {
  const reasons = tools.flatMap(({ tool, reason }) =>
    reason === undefined ? [] : [`\`${tool.name}\` is not strict: ${reason}.`],
  );
  return reasons.length === 0 ? about : `${about}\n\n${reasons.join('\n')}`;
}

/** What every form begins with. */
export function describeTool({ name, source }: ToolModel): JsonObject {
  return { name, description: source.tool.description };
}

/** The type arguments of a tool that may be strict. */
export function typeArguments({ name }: ToolModel, strict: boolean): string {
  return `${printJson(name)}, ${String(strict)}`;
}
