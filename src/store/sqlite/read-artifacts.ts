/** Artifacts as JSON, joined from the chunks that the log holds. */
import type { Database } from 'better-sqlite3';
import type { JsonText } from '../port.ts';

/** The task's artifacts after an event, in the order in which they were begun. */
export type ReadArtifacts = (taskId: string, asOf: number) => JsonText[];

interface ArtifactRow {
  artifact_id: string;
  from_seq: number;
}

interface ChunkRow {
  /** The artifact without its parts. */
  frame: JsonText;
  parts: JsonText;
  metadata: JsonText | null;
}

/** Prepares the statements. */
export function createReadArtifacts(db: Database): ReadArtifacts {
  const list = db.prepare<
    [string, number],
    ArtifactRow
  >(`SELECT artifact_id, from_seq FROM artifacts
    WHERE task_id = ? AND first_seq <= ? ORDER BY first_seq`);
  const findStart = db
    .prepare<[string, string, number], number>(
      `SELECT seq FROM events WHERE task_id = ? AND artifact_id = ? AND seq <= ? AND appends = 0
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  const readChunks = db.prepare<[string, string, number, number], ChunkRow>(`
    SELECT json_remove(artifact, '$.parts') AS frame, artifact -> '$.parts' AS parts,
      artifact -> '$.metadata' AS metadata
    FROM (SELECT seq, body -> '$.artifactUpdate.artifact' AS artifact FROM events
      WHERE task_id = ? AND artifact_id = ? AND seq BETWEEN ? AND ?)
    ORDER BY seq`);
  return (taskId, asOf) =>
    list.all(taskId, asOf).map(({ artifact_id: id, from_seq: latest }) => {
      // The artifact may have been begun anew since.
      const start = latest <= asOf ? latest : (findStart.get(taskId, id, asOf) ?? latest);
      return joinChunks(readChunks.all(taskId, id, start, asOf));
    });
}

/** Name, description and extensions are the first chunk's; metadata of later chunks joins its own. */
function joinChunks(chunks: readonly ChunkRow[]): JsonText {
  const [first, ...later] = chunks;
  if (first === undefined) throw new Error('an artifact of the database has no chunk');
  const parts = chunks.map((chunk) => chunk.parts.slice(1, -1)).join(',');
  const frame = later.some(({ metadata }) => metadata !== null)
    ? mergeMetadata(chunks)
    : first.frame;
  return `${frame.slice(0, -1)},"parts":[${parts}]}`;
}

function mergeMetadata(chunks: readonly ChunkRow[]): JsonText {
  const objects = chunks.map(({ metadata }) => JSON.parse(metadata ?? '{}') as object);
  const frame = JSON.parse(chunks[0]?.frame ?? '{}') as object;
  return JSON.stringify({ ...frame, metadata: Object.assign({}, ...objects) as object });
}
