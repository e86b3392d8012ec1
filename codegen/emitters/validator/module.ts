/**
 * The module that is emitted: its functions, and the constants and helpers that they need.
 */
import { compilePattern } from '../../vocabulary.ts';
import type { Json } from '../../json.ts';
import { printValue } from '../print-type.ts';
import { ModuleNames } from './names.ts';
import type { Code } from './statements.ts';
import { finish, printCode } from './statements.ts';

/** What the module can import from the runtime's `checks.js`. */
type Helper = 'codePointLength' | 'deepEqual' | 'isMultipleOf';

/** Collects the parts of a module while its code is made. */
export class ModuleParts {
  readonly names: ModuleNames;
  private readonly functions: { readonly name: string; code: Code }[] = [];
  private readonly constants = new Map<string, string>();
  private readonly helpers = new Set<Helper>();

  /** `name` is that of the function that the module exports. */
  constructor(name: string) {
    this.names = new ModuleNames(name, 'data', 'codePointLength', 'deepEqual', 'isMultipleOf');
  }

  /** Adds a function of `data`. It is called by its name from its own code too. */
  addFunction(name: string, emit: () => Code): void {
    const added = { name, code: [] as Code };
    this.functions.push(added);
    added.code = emit();
  }

  /** A call of a run-time helper. */
  callHelper(helper: Helper, ...parameters: readonly (string | number)[]): string {
    this.helpers.add(helper);
    return `${helper}(${parameters.join(', ')})`;
  }

  /** The constant that holds a compiled pattern. */
  addPattern(source: string): string {
    return this.addConstant('pattern', String(compilePattern(source) ?? new RegExp(source, 'u')));
  }

  /** The constant that holds a JSON value. */
  addValue(value: Json): string {
    return this.addConstant('value', printValue(value, 0));
  }

  /** The constant that holds a set of JSON values. */
  addSet(values: readonly Json[]): string {
    return this.addConstant('values', `/* @__PURE__ */ new Set(${printValue(values, 0)})`);
  }

  private addConstant(stem: string, text: string): string {
    const known = this.constants.get(text);
    if (known !== undefined) return known;
    const name = this.names.take(stem);
    this.constants.set(text, name);
    return name;
  }

  /** The text of the module, which exports the function `name`; the other functions are its own. */
  print(name: string, checksPath: string, guard?: string): string {
    const helpers = [...this.helpers].sort().join(', ');
    const constants = [...this.constants].map(([text, constant]) => `const ${constant} = ${text};`);
    const functions = this.functions.map((own) => {
      const head = `${own.name === name ? 'export ' : ''}function ${own.name}(data)`;
      return `${head} {\n${printCode(finish(own.code))}}`;
    });
    const parts = [
      helpers === '' ? '' : `import { ${helpers} } from '${checksPath}';`,
      constants.join('\n'),
      guard ?? '',
      ...functions,
    ];
    return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  }
}
