/**
 * Simplifies the statements of one function by what is certain where they stand.
 */
import type { Statement } from './validator-statements.ts';
import { makeBlock, negate } from './validator-statements.ts';

const ASSIGN = /^(?:(?:const|let|var) )?(\w+) = (.*);$/;
/** Flags: `valid1`, and `_valid1` for an alternative. */
const FLAG = /\b_?valid\d+\b/g;
const FLAG_HEAD = /^if\((!?)(_?valid\d+)\)$/;

/** The same statements in fewer words. */
export function simplify(list: readonly Statement[]): readonly Statement[] {
  return endShortly(dropUnread(dropCertain(list, listCertain(list), new Set())));
}

/** `if(!C) return false; return true;` says `return C;`, but for a flag that no round of a loop has set. */
function endShortly(list: readonly Statement[]): readonly Statement[] {
  const [test, end] = list.slice(-2);
  if (typeof test !== 'object' || !test.head.startsWith('if(')) return list;
  if (test.body[0] !== 'return false;' || end !== 'return true;') return list;
  if (FLAG_HEAD.test(test.head)) return list;
  return [...list.slice(0, -2), `return ${negate(test.head.slice('if('.length, -1))};`];
}

/** The flags that are only ever set to true and only asked for alone. */
function listCertain(list: readonly Statement[]): ReadonlySet<string> {
  const certain = new Set<string>();
  const others = new Set<string>();
  walk(list, (line) => {
    const [, name = '', value = line] = ASSIGN.exec(line) ?? [];
    if (value === 'true') certain.add(name);
    else if (!FLAG_HEAD.test(line)) {
      for (const [used] of `${name} ${value}`.matchAll(FLAG)) others.add(used);
    }
  });
  return new Set([...certain].filter((name) => name.includes('valid') && !others.has(name)));
}

/** Drops what is asked of certain flags, and of properties that were required before. */
function dropCertain(
  list: readonly Statement[],
  flags: ReadonlySet<string>,
  before: ReadonlySet<string>,
): readonly Statement[] {
  const known = new Set(before);
  const done: Statement[] = [];
  for (const item of list) {
    if (typeof item === 'string') {
      if (!flags.has(ASSIGN.exec(item)?.[1] ?? '')) done.push(item);
      continue;
    }
    const body = dropCertain(item.body, flags, known);
    const otherwise = dropCertain(item.otherwise ?? [], flags, known);
    done.push(...makeBlock(answerHead(item.head, flags, known), body, otherwise));
    if (item.body[0] === 'return false;')
      for (const name of listRequired(item.head)) known.add(name);
  }
  return done;
}

function answerHead(head: string, flags: ReadonlySet<string>, known: ReadonlySet<string>): string {
  const [, not, flag = ''] = FLAG_HEAD.exec(head) ?? [];
  if (flags.has(flag)) return `if(${String(not === '')})`;
  const asked = /^if\(([\w$.]+) !== undefined\)$/.exec(head)?.[1] ?? '';
  return known.has(asked) ? 'if(true)' : head;
}

/** The properties that are there wherever `if(a.b === undefined || a.c === undefined)` is false. */
function listRequired(head: string): readonly string[] {
  const parts = head.slice('if('.length, -1).split(' || ');
  const found = parts.map((part) => /^([\w$.]+) === undefined$/.exec(part)?.[1] ?? '');
  return found.includes('') ? [] : found;
}

/**
 * Drops what is assigned to names that nothing reads, and puts checks that are read once, right after,
 * where they are read. No value on the right has an effect.
 */
function dropUnread(list: readonly Statement[]): readonly Statement[] {
  const reads = new Map<string, number>();
  walk(list, (line) => {
    const text = ASSIGN.exec(line)?.[2] ?? line;
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      reads.set(name, (reads.get(name) ?? 0) + 1);
    }
  });
  return dropFrom(list, reads);
}

function dropFrom(
  list: readonly Statement[],
  reads: ReadonlyMap<string, number>,
): readonly Statement[] {
  const done: Statement[] = [];
  for (const item of list) {
    if (typeof item === 'string') {
      const name = ASSIGN.exec(item)?.[1];
      if (name === undefined || reads.has(name)) done.push(item);
      continue;
    }
    const head = inlineChecks(item.head, done, reads);
    done.push(
      ...makeBlock(head, dropFrom(item.body, reads), dropFrom(item.otherwise ?? [], reads)),
    );
  }
  return done;
}

/** `var _valid0 = A; var _valid1 = B; if(!(_valid0 || _valid1))` says `if(!(A || B))`. */
function inlineChecks(head: string, done: Statement[], reads: ReadonlyMap<string, number>): string {
  const checks = new Map<string, string>();
  for (let last = done.at(-1); typeof last === 'string'; last = done.at(-1)) {
    const [, name = '', value = ''] = ASSIGN.exec(last) ?? [];
    if (!name.startsWith('_valid') || reads.get(name) !== 1 || !head.includes(name)) break;
    checks.set(name, value);
    done.pop();
  }
  if (checks.size === 0) return head;
  const condition = head.slice('if('.length, -1);
  const opposite = /^!(?:\((.*)\)|(\w+))$/.exec(condition);
  const inline = (text: string): string =>
    text.replaceAll(FLAG, (name) => checks.get(name) ?? name);
  if (opposite === null) return `if(${inline(condition)})`;
  return `if(${negate(inline(opposite[1] ?? opposite[2] ?? ''))})`;
}

function walk(list: readonly Statement[], visit: (line: string) => void): void {
  for (const item of list) {
    if (typeof item === 'string') visit(item);
    else {
      visit(item.head);
      walk(item.body, visit);
      walk(item.otherwise ?? [], visit);
    }
  }
}
