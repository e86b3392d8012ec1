/** Whether a JSON value is an object (not null, not an array). */
export declare function hasMembers(value: unknown): value is Record<string, unknown>;

/** Whether an object has a member of its own. */
export declare function hasOwn(value: object, key: string): boolean;

/** Sets a member on the copy, made when the member differs. */
export declare function setMember(
  value: Record<string, unknown>,
  copy: Record<string, unknown> | undefined,
  key: string,
  member: unknown,
): Record<string, unknown> | undefined;

/** Sets an item on the copy, made when the item differs. */
export declare function setItem(
  value: unknown[],
  copy: unknown[] | undefined,
  index: number,
  item: unknown,
): unknown[] | undefined;
