/**
 * Conditions of the emitted code, as trees: the opposite of one is another tree, so no printed text is
 * ever read again.
 */

type Operator = '===' | '!==' | '<' | '>' | '<=' | '>=';

/** A boolean expression without effects, or what it is known to be. */
export type Condition = boolean | Call | Comparison | Junction;

/** A call that answers true or false, or its opposite. */
interface Call {
  readonly kind: 'call';
  readonly text: string;
  readonly holds: boolean;
}

interface Comparison {
  readonly kind: 'comparison';
  readonly left: string;
  readonly operator: Operator;
  readonly right: string;
}

interface Junction {
  readonly kind: 'all' | 'any';
  readonly parts: readonly Condition[];
}

const OPPOSITE = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
} as const;

/** A call whose result is a boolean. */
export function call(text: string): Condition {
  return { kind: 'call', text, holds: true };
}

/** A comparison of two values that are not NaN. */
export function compare(left: string, operator: Operator, right: string | number): Condition {
  return { kind: 'comparison', left, operator, right: String(right) };
}

/** Whether a size, which is never below zero, is large enough. */
export function atLeast(size: string, least: number): Condition {
  return least === 0 || compare(size, '>=', least);
}

/** The opposite of a condition. */
export function not(condition: Condition): Condition {
  if (typeof condition === 'boolean') return !condition;
  if (condition.kind === 'call') return { ...condition, holds: !condition.holds };
  if (condition.kind === 'comparison')
    return { ...condition, operator: OPPOSITE[condition.operator] };
  return { kind: condition.kind === 'all' ? 'any' : 'all', parts: condition.parts.map(not) };
}

/** Whether all hold; of none, true. */
export function all(...conditions: readonly Condition[]): Condition {
  return join('all', true, conditions);
}

/** Whether any holds; of none, false. */
export function any(...conditions: readonly Condition[]): Condition {
  return join('any', false, conditions);
}

function join(kind: Junction['kind'], neutral: boolean, list: readonly Condition[]): Condition {
  const parts = list
    .flatMap((part) => (typeof part !== 'boolean' && part.kind === kind ? part.parts : [part]))
    .filter((part) => part !== neutral);
  const [only = neutral] = parts;
  if (parts.includes(!neutral)) return !neutral;
  return parts.length < 2 ? only : { kind, parts };
}

/** Whether exactly one holds. */
export function exactlyOne(...conditions: readonly Condition[]): Condition {
  const open = conditions.filter((condition) => typeof condition !== 'boolean');
  const certain = conditions.filter((condition) => condition === true).length;
  if (certain > 1) return false;
  if (certain === 1) return not(any(...open));
  const [first = false, second = false] = open;
  if (open.length < 2) return first;
  if (open.length === 2) return compare(printOperand(first), '!==', printOperand(second));
  return compare(open.map(printOperand).join(' + '), '===', 1);
}

/** A condition as an expression. */
export function printCondition(condition: Condition): string {
  if (typeof condition === 'boolean') return String(condition);
  if (condition.kind === 'call') return `${condition.holds ? '' : '!'}${condition.text}`;
  if (condition.kind === 'comparison') {
    return `${condition.left} ${condition.operator} ${condition.right}`;
  }
  const parts = condition.parts.map((part) =>
    typeof part === 'object' && part.kind in JOINTS ? printOperand(part) : printCondition(part),
  );
  return parts.join(JOINTS[condition.kind]);
}

const JOINTS = { all: ' && ', any: ' || ' };

/** A condition as the operand of any operator. */
function printOperand(condition: Condition): string {
  const text = printCondition(condition);
  return typeof condition === 'boolean' || condition.kind === 'call' ? text : `(${text})`;
}
