/** A wall. */
export const wall = 'wall';
