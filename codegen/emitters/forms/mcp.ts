/** The tools as a server of the Model Context Protocol lists them. */
import type { JsonObject } from '../../json.ts';
import type { ContractModel, ToolModel } from '../../model/contract.ts';
import { printJson, printValue } from '../print-type.ts';
import { readableInput, readableOutput } from '../tools.ts';
import type { ToolForm } from './form.ts';

/** The file `tools/mcp.js`. */
export function mcpForm(model: ContractModel): ToolForm {
  const list = {
    name: 'MCP_TOOLS',
    about: 'The tools as an MCP server lists them (`tools/list`).',
    entries: model.tools.map((tool) => printValue(mcpTool(model, tool), 2)),
    types: model.tools.map(({ name }) => `McpTool<${printJson(name)}>`),
  };
  return { constants: [], lists: [list] };
}

/** Of MCP's hints a tool file states one; a client assumes the worst of the others. */
function mcpTool(model: ContractModel, tool: ToolModel): JsonObject {
  const { name, description, idempotency } = tool.source.tool;
  const outputSchema = readableOutput(model, tool);
  return {
    name,
    title: toTitle(name),
    description,
    inputSchema: readableInput(model, tool),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: { idempotentHint: idempotency === 'idempotent' },
  };
}

/** `create_plan` as people read it: `Create plan`. */
function toTitle(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
