/** The tools in the forms that model APIs take: data only, a file an API. */
import type { EmitContext, EmittedFile, Emitter } from './emitter.ts';
import { anthropicForm } from './forms/anthropic.ts';
import type { ToolForm } from './forms/form.ts';
import { mcpForm } from './forms/mcp.ts';
import { openaiForm } from './forms/openai.ts';
import { printComment } from './print-type.ts';
import { TOOLS_BANNER } from './tools.ts';

const FORMS = { openai: openaiForm, anthropic: anthropicForm, mcp: mcpForm };

/** The names of the files, below `tools/`. */
export const FORM_NAMES = Object.keys(FORMS);

/** Emits `tools/openai`, `tools/anthropic` and `tools/mcp`; nothing for a project without tools. */
export const toolForms: Emitter = {
  name: 'tool forms',
  emit: (model, context) => {
    if (model.tools.length === 0) return [];
    return Object.entries(FORMS).flatMap(([name, form]) => emitForm(name, form(model), context));
  },
};

function emitForm(
  name: string,
  { constants, lists }: ToolForm,
  context: EmitContext,
): EmittedFile[] {
  const path = `generated/tools/${name}`;
  const code = lists.map((list) => `export const ${list.name} = ${bracket(list.entries)};\n`);
  const types = lists.map(
    (list) =>
      `${printComment(list.about)}export declare const ${list.name}: ${bracket(list.types)};\n`,
  );
  const declarations = context.templates.render(`package/${name}.d.ts.hbs`, {
    lists: types.join('\n'),
  });
  return [
    { path: `${path}.js`, text: [TOOLS_BANNER, ...constants, ...code].join('\n') },
    { path: `${path}.d.ts`, text: TOOLS_BANNER + declarations },
  ];
}

function bracket(lines: readonly string[]): string {
  return `[\n${lines.map((line) => `  ${line},\n`).join('')}]`;
}
