/** Artifacts of a remote agent, written down as the turn's own. */
import { createHash } from 'node:crypto';
import type { Artifact } from '@tiny-harness/contract/a2a';
import type { Turn } from '../port.ts';
import { RemoteFault } from './faults.ts';
import { passOn, textOf } from './parts.ts';

/** How many artifacts of how many characters as JSON, all together, are taken. */
const MAX_ARTIFACTS = 100;
const MAX_SIZE = 8 * 1024 ** 2;

/** How much of an artifact's text is kept for an answer, in characters. */
const KEPT_TEXT = 16 * 1024;

interface Known {
  size: number;
  text: string;
  complete: boolean;
  /** Of the whole artifact, when it came whole. */
  digest: string | undefined;
}

/** The artifacts of a turn. */
export class Artifacts {
  readonly #turn: Turn;
  readonly #known = new Map<string, Known>();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** The text of the artifacts, the first first; empty when there is none. */
  get text(): string {
    const texts = [...this.#known.values()].map(({ text }) => text.trim());
    return texts.filter((text) => text !== '').join('\n\n');
  }

  /** Takes an artifact as a whole. Resolves with whether it was not known like this. */
  async takeWhole(artifact: Artifact): Promise<boolean> {
    const digest = createHash('sha256').update(JSON.stringify(artifact)).digest('base64url');
    if (this.#known.get(artifact.artifactId)?.digest === digest) return false;
    await this.#write(artifact, { append: false, lastChunk: false, digest });
    return true;
  }

  /** Takes a piece of an artifact. */
  async takeChunk(artifact: Artifact, append: boolean, lastChunk: boolean): Promise<void> {
    if (append && this.#known.get(artifact.artifactId)?.complete === true) {
      throw new RemoteFault('goes on with an artifact that it had called complete');
    }
    await this.#write(artifact, { append, lastChunk, digest: undefined });
  }

  async #write(
    { artifactId, parts, name, description }: Artifact,
    {
      append,
      lastChunk,
      digest,
    }: { append: boolean; lastChunk: boolean; digest: string | undefined },
  ): Promise<void> {
    const before = append ? this.#known.get(artifactId) : undefined;
    this.#known.set(artifactId, {
      size: (before?.size ?? 0) + JSON.stringify(parts).length,
      text: `${before?.text ?? ''}${textOf(parts)}`.slice(0, KEPT_TEXT),
      complete: lastChunk,
      digest,
    });
    this.#checkLimits();
    const passed = passOn(parts);
    if (passed === undefined) return;
    await this.#turn.writeArtifact({
      artifactId,
      parts: passed,
      append,
      lastChunk,
      ...(name === undefined ? {} : { name: name.slice(0, 1024) }),
      ...(description === undefined ? {} : { description: description.slice(0, 4096) }),
    });
  }

  #checkLimits(): void {
    if (this.#known.size > MAX_ARTIFACTS) {
      throw new RemoteFault(`wrote more than ${MAX_ARTIFACTS} artifacts`);
    }
    const size = [...this.#known.values()].reduce((sum, each) => sum + each.size, 0);
    if (size > MAX_SIZE) {
      throw new RemoteFault(`wrote artifacts of more than ${MAX_SIZE} characters`);
    }
  }
}
