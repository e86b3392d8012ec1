/** The size of a value that came from somebody else, before anything else looks at it. */

/** What a value may be like. */
export interface Bounds {
  readonly bytes: number;
  readonly nesting: number;
}

/**
 * Why a value is too large; undefined when it is not. It ends as soon as that is known, whatever the value is like:
 * one that contains itself nests too deeply.
 */
export function findExcess(value: unknown, { bytes, nesting }: Bounds): string | undefined {
  let left = bytes;
  const open: { readonly value: unknown; readonly level: number }[] = [{ value, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: node, level } = next;
    left -= sizeOf(node);
    if (left < 0) return `more than ${bytes} bytes of JSON`;
    if (typeof node !== 'object' || node === null) continue;
    if (level === nesting) return `nested more than ${nesting} levels deep`;
    if (Array.isArray(node)) {
      // What is not looked at yet costs a byte each, so that lists do not grow beyond the bound.
      if (node.length > left) return `more than ${bytes} bytes of JSON`;
      for (const item of node as readonly unknown[]) open.push({ value: item, level: level + 1 });
      continue;
    }
    for (const [key, member] of Object.entries(node)) {
      left -= sizeOf(key) + 2;
      open.push({ value: member, level: level + 1 });
    }
  }
  return undefined;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).length;
  return 2;
}
