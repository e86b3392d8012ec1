/** The tools as Anthropic's Messages API takes them, plain and strict. */
import type { JsonObject } from '../../json.ts';
import type { ContractModel, ToolModel } from '../../model/contract.ts';
import { printValue } from '../print-type.ts';
import { readableInput } from '../tools.ts';
import type { ToolForm } from './form.ts';
import { describeStrictList, describeTool, strictTools, typeArguments } from './form.ts';
import { ANTHROPIC_STRICT } from './strict-dialects.ts';

const ABOUT = 'The tools for the Messages API (`tools`).';
const STRICT = ' A model keeps to the schemas.';

/** The file `tools/anthropic.js`. */
export function anthropicForm(model: ContractModel): ToolForm {
  const strict = strictTools(model, ANTHROPIC_STRICT);
  return {
    constants: [],
    lists: [
      {
        name: 'ANTHROPIC_TOOLS',
        about: ABOUT,
        entries: model.tools.map((tool) => printValue(plainTool(model, tool), 2)),
        types: model.tools.map((tool) => `AnthropicTool<${typeArguments(tool, false)}>`),
      },
      {
        name: 'ANTHROPIC_STRICT_TOOLS',
        about: describeStrictList(ABOUT + STRICT, strict),
        entries: strict.map(({ tool, schema }) => {
          const plain = plainTool(model, tool);
          const entry = schema === undefined ? plain : { ...plain, input_schema: schema };
          return printValue({ ...entry, strict: schema !== undefined }, 2);
        }),
        types: strict.map(
          ({ tool, schema }) => `AnthropicTool<${typeArguments(tool, schema !== undefined)}>`,
        ),
      },
    ],
  };
}

/** Examples of whole calls stay: the model reads the schema as it is written. */
function plainTool(model: ContractModel, tool: ToolModel): JsonObject {
  return { ...describeTool(tool), input_schema: readableInput(model, tool, ['title']) };
}
