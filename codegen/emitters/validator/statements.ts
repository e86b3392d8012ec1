/**
 * Statements of the emitted functions. Each function answers whether a value is valid, so all that a
 * statement can do is to return false, or to go on.
 */
import type { Condition } from './condition.ts';
import { all, any, not, printCondition } from './condition.ts';

/** Statements in the order in which they run. */
export type Code = readonly Statement[];

type Statement = Line | Check | When | Loop | Switch;

interface Line {
  readonly kind: 'line' | 'return';
  readonly text: string;
}

/** Returns false unless `test` holds. */
interface Check {
  readonly kind: 'check';
  readonly test: Condition;
}

interface When {
  readonly kind: 'when';
  readonly test: Condition;
  readonly body: Code;
  readonly otherwise: Code;
}

interface Loop {
  readonly kind: 'loop';
  readonly head: string;
  readonly body: Code;
}

/** Returns false where no case fits. */
interface Switch {
  readonly kind: 'switch';
  readonly on: string;
  readonly cases: readonly Case[];
}

interface Case {
  readonly labels: readonly string[];
  readonly body: Code;
}

/** A statement as it is printed, that never returns. */
export function line(text: string): Code {
  return [{ kind: 'line', text }];
}

/** Returns false unless the condition holds. */
export function check(test: Condition): Code {
  return test === true ? [] : [{ kind: 'check', test }];
}

/** Runs `body` where the condition holds, `otherwise` where it does not. */
export function when(test: Condition, body: Code, otherwise: Code = []): Code {
  if (typeof test === 'boolean') return test ? body : otherwise;
  if (body.length === 0 && otherwise.length === 0) return [];
  if (body.length === 0) return when(not(test), otherwise);
  const [first] = body;
  if (body.length === 1 && first?.kind === 'check' && otherwise.length === 0) {
    return check(any(not(test), first.test));
  }
  return [{ kind: 'when', test, body, otherwise }];
}

/** Runs `body` as often as the head of the loop says; without a body there is no loop. */
export function loop(head: string, body: Code): Code {
  return body.length === 0 ? [] : [{ kind: 'loop', head, body }];
}

/** Runs the case that has the value among its labels; returns false when none has. */
export function choose(on: string, cases: readonly Case[]): Code {
  return [{ kind: 'switch', on, cases }];
}

/** Whether the statements always return false. */
export function isRefusal(code: Code): boolean {
  return code.some((statement) => statement.kind === 'check' && statement.test === false);
}

/** The condition under which the statements go on; undefined where there is more to them than checks. */
export function toCondition(code: Code): Condition | undefined {
  const tests = code.map((statement) => {
    if (statement.kind === 'check') return statement.test;
    if (statement.kind !== 'when') return undefined;
    const [body, otherwise] = [toCondition(statement.body), toCondition(statement.otherwise)];
    if (body === undefined || otherwise === undefined) return undefined;
    return all(any(not(statement.test), body), any(statement.test, otherwise));
  });
  return tests.every((test) => test !== undefined) ? all(...tests) : undefined;
}

/** Statements that end a function: where they would go on, it returns true. */
export function finish(code: Code): Code {
  const last = code.at(-1);
  const before = code.slice(0, -1);
  if (last?.kind === 'check') {
    return [...before, { kind: 'return', text: printCondition(last.test) }];
  }
  if (last?.kind === 'switch') {
    const cases = last.cases.map(({ labels, body }) => ({ labels, body: finish(body) }));
    return [...before, { ...last, cases }];
  }
  return [...code, { kind: 'return', text: 'true' }];
}

/** The text of statements, one a line, blocks indented by two spaces more. */
export function printCode(code: Code, indent = '  '): string {
  return code.map((statement) => `${indent}${printStatement(statement, indent)}\n`).join('');
}

function printStatement(statement: Statement, indent: string): string {
  switch (statement.kind) {
    case 'line':
      return `${statement.text};`;
    case 'return':
      return `return ${statement.text};`;
    case 'check':
      if (statement.test === false) return 'return false;';
      return `if (${printCondition(not(statement.test))}) return false;`;
    case 'loop':
      return `for (${statement.head}) ${printBlock(statement.body, indent)}`;
    case 'when': {
      const { test, body, otherwise } = statement;
      const rest = otherwise.length === 0 ? '' : ` else ${printBlock(otherwise, indent)}`;
      return `if (${printCondition(test)}) ${printBlock(body, indent)}${rest}`;
    }
    case 'switch': {
      const cases = statement.cases.map((item) => printCase(item, `${indent}  `)).join('');
      return `switch (${statement.on}) {\n${cases}${indent}  default:\n${indent}    return false;\n${indent}}`;
    }
  }
}

function printBlock(code: Code, indent: string): string {
  return `{\n${printCode(code, `${indent}  `)}${indent}}`;
}

function printCase({ labels, body }: Case, indent: string): string {
  const heads = labels.map((label) => `${indent}case ${label}:\n`).join('');
  const end = body.at(-1)?.kind === 'return' ? '' : `${indent}  break;\n`;
  return `${heads}${printCode(body, `${indent}  `)}${end}`;
}
