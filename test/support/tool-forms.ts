/** The tools of a package in the forms of model APIs. */
import type { JsonObject } from '../../codegen/json.ts';
import type { ContractPackage } from './contract-package.ts';

/** A function of OpenAI's APIs. */
export interface OpenAiFunction {
  name: string;
  parameters: JsonObject;
  strict: boolean;
}

/** A tool of Anthropic's API. */
export interface AnthropicTool {
  name: string;
  input_schema: JsonObject;
  strict?: boolean;
}

/** What the modules of all forms export. */
export interface Forms {
  OPENAI_TOOLS: { type: string; function: OpenAiFunction }[];
  OPENAI_STRICT_TOOLS: { type: string; function: OpenAiFunction }[];
  OPENAI_RESPONSES_TOOLS: (OpenAiFunction & { type: string })[];
  OPENAI_RESPONSES_STRICT_TOOLS: (OpenAiFunction & { type: string })[];
  ANTHROPIC_TOOLS: AnthropicTool[];
  ANTHROPIC_STRICT_TOOLS: AnthropicTool[];
  MCP_TOOLS: { name: string; inputSchema: JsonObject; annotations: object }[];
  TOOLS: Record<string, { inputSchema: JsonObject & { examples: JsonObject[] } }>;
}

/** Imports the modules of all forms. */
export async function loadForms(contract: ContractPackage): Promise<Forms> {
  const paths = ['openai', 'anthropic', 'mcp', 'index'].map((name) => `tools/${name}.js`);
  const modules = await Promise.all(paths.map((path) => contract.load(path)));
  return Object.assign({}, ...modules) as Forms;
}
