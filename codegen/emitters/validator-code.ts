/**
 * Turns a flat schema into the text of a self-contained module: one exported function that says whether a
 * value is valid, and nothing else. Ajv writes the checks; what it writes to report errors is left out.
 */
import type { ValidateFunction } from 'ajv';
import type { FlatSchema } from '../flatten.ts';
import type { ModuleParts } from './validator-dialect.ts';
import { createAjv } from './validator-keywords.ts';
import { planValidator } from './validator-plan.ts';
import { simplify } from './validator-flow.ts';
import { printStatements, readStatements } from './validator-statements.ts';

/** Where the module finds its run-time helpers, and what its function is called. */
export interface ValidatorOptions {
  /** The specifier of `runtime/checks.js` as seen from the module. */
  readonly checksPath: string;
  readonly name: string;
}

/**
 * The text of an ES module that exports `function <name>(data)`, which says whether `data` is valid against
 * the schema (2020-12; `format` is an annotation). The module runs where code from strings is
 * forbidden, imports nothing but the helpers it uses, and has no side effects. A value that a
 * recursive schema cannot check because it is nested too deeply is not valid. The text depends on
 * the arguments alone.
 */
export function compileValidator(schema: FlatSchema, options: ValidatorOptions): string {
  const { functions, recursive } = planValidator(schema, options.name);
  const parts: ModuleParts = { constants: new Map(), helpers: new Set() };
  const ajv = createAjv(parts);
  const patterns = new Map<string, string>();
  const texts = functions.map(({ name, schema: planned }) => {
    const body = printBody(ajv.compile({ root: planned }), patterns);
    return `${name === options.name ? 'export ' : ''}function ${name}(data) {\n${body}}\n`;
  });
  if (recursive) texts.unshift(printGuard(options.name, functions[0]?.name ?? ''));
  const constants = [
    ...[...patterns].map(([name, text]) => `const ${name} = ${text};`),
    ...[...parts.constants].map(([text, name]) => `const ${name} = ${text};`),
  ];
  const module = [
    printImport([...parts.helpers].sort(), options.checksPath),
    ...(constants.length === 0 ? [] : [`${constants.join('\n')}\n`]),
    ...texts,
  ];
  return module.filter((text) => text !== '').join('\n');
}

/** The simplified body of a compiled function; the patterns it tests join `patterns`. */
function printBody(compiled: ValidateFunction, patterns: Map<string, string>): string {
  const { source } = compiled;
  if (source === undefined) throw new Error('internal: Ajv kept no source of a compiled schema');
  for (const name of source.scopeValues.pattern ?? []) {
    patterns.set(String(name), String(name.value?.ref));
  }
  const body = printStatements(simplify(readStatements(source.validateCode)));
  assertStripped(body);
  return body;
}

const LEFTOVER =
  /(?<![.\w$])(?:vErrors|errors|instancePath|require|(?:_errs|err|evaluated|schema|func|root|wrapper|validate)\d+)\b/;

/** Outside strings and property names nothing may be left of what Ajv keeps around its checks. */
function assertStripped(body: string): void {
  const leftover = LEFTOVER.exec(body.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
  if (leftover === null) return;
  throw new Error(`internal: ${leftover[0]} is left in a validator that was stripped of it`);
}

/** The export of a recursive validator. */
function printGuard(name: string, root: string): string {
  return [
    `export function ${name}(data) {`,
    '  try {',
    `    return ${root}(data);`,
    '  } catch (error) {',
    '    // Nested deeper than the stack reaches.',
    '    if (error instanceof RangeError) return false;',
    '    throw error;',
    '  }',
    '}',
    '',
  ].join('\n');
}

function printImport(helpers: readonly string[], checksPath: string): string {
  return helpers.length === 0 ? '' : `import { ${helpers.join(', ')} } from '${checksPath}';\n`;
}
