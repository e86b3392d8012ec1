/**
 * The module that is emitted: its functions, and the constants and helpers that they need.
 */
import type { Json } from '../../json.ts';
import { compilePattern } from '../../vocabulary.ts';
import { printValue } from '../print-type.ts';
import { Scope } from './names.ts';
import type { Code } from './statements.ts';
import { finish, printCode } from './statements.ts';

const HELPERS = ['codePointLength', 'deepEqual', 'isMultipleOf'] as const;

/** Collects the parts of a module while its code is made. */
export class Module {
  readonly scope: Scope;
  private readonly functions: { readonly name: string; code: Code }[] = [];
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<string>();

  /** A module in which some names are taken. */
  constructor(...taken: readonly string[]) {
    this.scope = Scope.ofModule(...HELPERS, ...taken);
  }

  /** Adds a function of `data`; those that its code adds come after it. */
  addFunction(name: string, emit: () => Code): void {
    const added = { name, code: [] as Code };
    this.functions.push(added);
    added.code = emit();
  }

  /** A call of a helper, which the runtime's `checks.js` exports. */
  callHelper(helper: (typeof HELPERS)[number], ...values: readonly (string | number)[]): string {
    this.helpers.add(helper);
    return `${helper}(${values.join(', ')})`;
  }

  /** The name of a constant that holds a compiled pattern. */
  addPattern(source: string): string {
    return this.addConstant('pattern', String(compilePattern(source) ?? new RegExp(source, 'u')));
  }

  /** The name of a constant that holds a JSON value. */
  addValue(value: Json): string {
    return this.addConstant('value', printValue(value, 0));
  }

  /** The name of a constant that holds a set of JSON values. */
  addSet(values: readonly Json[]): string {
    return this.addConstant('values', `/* @__PURE__ */ new Set(${printValue(values, 0)})`);
  }

  private addConstant(stem: string, text: string): string {
    const name = this.constants.get(text) ?? this.scope.take(stem);
    this.constants.set(text, name);
    return name;
  }

  /** The text of the module. `root` is the name of the first function, which is exported as `name`. */
  print(root: string, name: string, isRecursive: boolean, checksPath: string): string {
    const helpers = [...this.helpers].sort().join(', ');
    const constants = [...this.constants].map(([text, constant]) => `const ${constant} = ${text};`);
    const functions = this.functions.map((own) => {
      const isExport = own.name === root && !isRecursive;
      const head = isExport ? `export function ${name}` : `function ${own.name}`;
      return `${head}(data) {\n${printCode(finish(own.code))}}`;
    });
    const parts = [
      helpers === '' ? '' : `import { ${helpers} } from "${checksPath}";`,
      constants.join('\n'),
      isRecursive ? printGuard(root, name) : '',
      ...functions,
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  }
}

/** The export of a recursive validator. */
function printGuard(root: string, name: string): string {
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
  ].join('\n');
}
