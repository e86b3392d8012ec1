/** TOOL_NAME: a tool is called what its file is called, so two cannot share a name. */
import type { Rule } from './rule.ts';
import { diagnose } from '../diagnostics.ts';

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
      const hint =
        twin === undefined
          ? `Call it "${expected}", or call the file ${tool.name}.json.`
          : `${twin.file.path} has a tool of that name; call this one "${expected}".`;
      return [diagnose(toolName.id, file, '/name', message, { hint })];
    }),
};
