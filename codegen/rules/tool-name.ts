/** TOOL_NAME: a tool is called what its file is called, so two cannot share a name. */
import toolMeta from '../../schemas/meta/tool.schema.json' with { type: 'json' };
import { diagnose } from '../diagnostics.ts';
import type { ToolSource } from '../load.ts';
import type { Rule } from './rule.ts';

/** The file name is how people find a tool, the name how models do. */
export const toolName: Rule = {
  id: 'TOOL_NAME',
  purpose:
    'Every tool is called what its file is called. Whoever sees a call finds its definition, and no two tools have one name.',
  check: ({ project: { tools } }) =>
    tools.flatMap(({ file, tool }) => {
      const expected = file.path.replace(/^.*\//, '').replace(/\.json$/, '');
      if (tool.name === expected) return [];
      const message = `the tool in ${expected}.json is called ${JSON.stringify(tool.name)}`;
      const twin = tools.find((other) => other.file !== file && other.tool.name === tool.name);
      const hint = NAME.test(expected)
        ? hintForTool(expected, tool.name, twin)
        : hintForFile(expected, tool.name, twin);
      return [diagnose(toolName.id, file, '/name', message, { hint })];
    }),
};

/** What a tool may be called (TOOL_SHAPE); a file may be called more. */
const NAME = new RegExp(toolMeta.properties.name.pattern, 'u');

function hintForTool(expected: string, name: string, twin: ToolSource | undefined): string {
  return twin === undefined
    ? `Call it "${expected}", or call the file ${name}.json.`
    : `${twin.file.path} has a tool of that name; call this one "${expected}".`;
}

function hintForFile(stem: string, name: string, twin: ToolSource | undefined): string {
  const taken = twin?.file.path.endsWith(`/${name}.json`) === true;
  return taken
    ? `${twin.file.path} has a tool of that name, and no tool can be called "${stem}": give both the tool and the file another name.`
    : `Call the file ${name}.json: no tool can be called "${stem}".`;
}
