/** A board. */
export const board = 'board';
