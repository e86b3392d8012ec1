/**
 * What Ajv printed, as a tree of statements: read without the code that collects errors, and printed with
 * indentation. `validator-flow.ts` simplifies what is between.
 */

/** A line, or a block with its head (`if(…)`, `for(…)`). */
export type Statement = string | Block;

/** A block; `otherwise` is never empty. */
interface Block {
  readonly head: string;
  readonly body: readonly Statement[];
  readonly otherwise?: readonly Statement[];
}

/** Lines that only serve error objects, once those are left empty (`validator-keywords.ts`). */
const ERROR_LINE =
  /^(?:let vErrors = null|validate\d+\.errors = .*|const err\d+ = \{\}|let errors = 0);$/;
const ERROR_HEAD = /^if\(vErrors [!=]== null\)$/;

const COUNT = /^const (_errs\d+) = errors;$/;
const RESET = /^errors = _errs\d+;$/;
const COMPARE = /^var (\w+) = (_errs\d+) === errors;$/;
const COMPARE_HEAD = /^if\((?:errors === \w+|_errs\d+ === errors)\)$/;
const JUMP = /^(?:return|break)\b/;

/**
 * The body of one function as Ajv prints it with `lines: true`, without the lines that serve errors.
 *
 * Ajv counts errors (`errors++`) and compares the count with an earlier one (`const _errs1 = errors`) to
 * learn whether a part was valid. A part that may fail without the whole failing is a single check
 * (`validator-plan.ts`): there the comparison says what the check says. Everywhere else an error has
 * returned, so the comparison says nothing and is left out.
 */
export function readStatements(code: string): readonly Statement[] {
  const lines = code.trim().split('\n').slice(1, -1);
  return readList({ lines: lines.filter((line) => !ERROR_LINE.test(line)), next: 0 });
}

interface Reader {
  readonly lines: readonly string[];
  next: number;
}

function readList(reader: Reader): readonly Statement[] {
  const list: Statement[] = [];
  for (;;) {
    const line = reader.lines[reader.next];
    if (line === undefined || line === '}') break;
    reader.next += 1;
    if (line.endsWith('{')) list.push(...readBlock(reader, line.slice(0, -1)));
    else if (COMPARE.test(line)) list.push(readCheck(line, list));
    else if (line === 'return errors === 0;') list.push('return true;');
    else if (!RESET.test(line)) list.push(line.replace(/^let (?=data\d+ = )/, 'const '));
  }
  return list.filter((item, index) => !isCount(item) && !isSettled(list, index));
}

function isCount(item: Statement): boolean {
  return typeof item === 'string' && COUNT.test(item);
}

/** An error is counted before it returns, and after a flag has told that a schema is `false`. */
function isSettled(list: readonly Statement[], index: number): boolean {
  const before = list[index - 1];
  const told = typeof before === 'string' && before.endsWith(' = false;');
  return list[index] === 'errors++;' && (told || list[index + 1] === 'return false;');
}

/** `const E = errors; if(C) { errors++; } var V = E === errors;` is one check: `var V = !C;`. */
function readCheck(line: string, list: Statement[]): string {
  const [, valid = '', compared = ''] = COMPARE.exec(line) ?? [];
  const start = list.lastIndexOf(`const ${compared} = errors;`);
  const [test, ...more] = list.slice(start + 1).filter((item) => !isCount(item));
  if (typeof test !== 'object' || test.body[0] !== 'errors++;' || more.length > 0) {
    return `var ${valid} = true;`;
  }
  list.splice(start);
  return `var ${valid} = ${negate(test.head.slice('if('.length, -1))};`;
}

function readBlock(reader: Reader, head: string): readonly Statement[] {
  const body = readList(reader);
  reader.next += 1;
  let otherwise: readonly Statement[] = [];
  if (reader.lines[reader.next] === 'else {') {
    reader.next += 1;
    otherwise = readList(reader);
    reader.next += 1;
  }
  if (ERROR_HEAD.test(head)) return [];
  if (COMPARE_HEAD.test(head)) return body;
  return makeBlock(
    head.replace(/^if\(!\((Array\.isArray\(\w+\))\)\)$/, 'if(!$1)'),
    body,
    otherwise,
  );
}

/** A block in its plainest form: nothing empty, nothing certain, and no `else` after a jump. */
export function makeBlock(
  head: string,
  body: readonly Statement[],
  otherwise: readonly Statement[] = [],
): readonly Statement[] {
  if (head === 'if(true)') return body;
  if (head === 'if(false)') return otherwise;
  if (otherwise.length === 0) return body.length === 0 ? [] : [{ head, body }];
  if (body.length === 0 || (endsInJump(otherwise) && !endsInJump(body))) {
    return makeBlock(negateHead(head), otherwise, body);
  }
  if (endsInJump(body)) return [{ head, body }, ...otherwise];
  return [{ head, body, otherwise }];
}

function endsInJump(list: readonly Statement[]): boolean {
  const last = list.at(-1);
  return typeof last === 'string' && JUMP.test(last);
}

function negateHead(head: string): string {
  return `if(${negate(head.slice('if('.length, -1))})`;
}

/** One comparison, or several joined by the same operator. */
const COMPARISONS = comparisons();
const OPPOSITE: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
};

function comparisons(): RegExp {
  const one = String.raw`(?:typeof )?[\w$.]+ [!=]== (?:"(?:[^"\\]|\\.)*"|[\w$.]+)`;
  return new RegExp(String.raw`^${one}(?:(?: && ${one})*|(?: \|\| ${one})*)$`);
}

/** The opposite of a condition, in the shortest form that is certainly right. */
export function negate(condition: string): string {
  const call = /^!([\w$.]+(?:\([\w$]+\))?)$/.exec(condition)?.[1];
  if (call !== undefined) return call;
  if (COMPARISONS.test(condition)) {
    return condition.replaceAll(
      /"(?:[^"\\]|\\.)*"|[!=]==|&&|\|\|/g,
      (token) => OPPOSITE[token] ?? token,
    );
  }
  return /^[\w$.]+(?:\([\w$]+\))?$/.test(condition) ? `!${condition}` : `!(${condition})`;
}

/** Prints statements, one a line, each block indented by two spaces more. */
export function printStatements(list: readonly Statement[], indent = '  '): string {
  return list
    .map((item) => {
      if (typeof item === 'string') return `${indent}${item}\n`;
      const head = `${indent}${item.head.replace('(', ' (')}`;
      const [only] = item.body;
      if (item.body.length === 1 && typeof only === 'string' && item.otherwise === undefined) {
        return `${head} ${only}\n`;
      }
      const body = printStatements(item.body, `${indent}  `);
      const rest = item.otherwise;
      const otherwise =
        rest === undefined ? '' : ` else {\n${printStatements(rest, `${indent}  `)}${indent}}`;
      return `${head} {\n${body}${indent}}${otherwise}\n`;
    })
    .join('');
}
