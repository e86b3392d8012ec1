/** What goes wrong with a remote agent. */

/**
 * The remote agent cannot do the work, and asking again does not help. The message goes on after "The remote agent x"
 * and is for participants: nothing of this server's inside is in it.
 */
export class RemoteFault extends Error {
  override readonly name = 'RemoteFault';
}

/** The remote agent does not answer as it should, which may pass. The message is worded as in a RemoteFault. */
export class RemoteTrouble extends Error {
  override readonly name = 'RemoteTrouble';
  /** How long the remote agent asks to be left alone, in milliseconds. */
  readonly wait: number;

  constructor(words: string, wait = 0) {
    super(words);
    this.wait = wait;
  }
}

/** What the remote agent answered is not A2A. */
export class RemoteNonsense extends RemoteTrouble {}

/** The start of a text that somebody else wrote, on one line. */
export function clip(text: string, length = 500): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}
