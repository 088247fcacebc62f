import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { blobsDir, dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';

export interface KeptState {
  readonly events: number;
  readonly tracks: number;
  readonly files: number;
  /** Files of a unit that never came, for the sweep. */
  readonly filesWithoutRow: number;
  /** The last event that each output was given. */
  readonly deliveredSeqs: readonly number[];
  readonly lastSeq: number;
  /** Descriptions of broken guarantees. */
  readonly findings: readonly string[];
}

/** Reads database and files beside a running service. */
export async function readKept(dataDir: string, received: readonly number[]): Promise<KeptState> {
  const folder = dataFolder(dataDir);
  const storage = await openCommandStorage(folder, { databaseUrl: '' });
  try {
    const { query } = storage.database;
    const events = await query
      .selectFrom('stream_event')
      .select(['seq', 'kind', 'track_id'])
      .orderBy('seq')
      .execute();
    const tracks = await query
      .selectFrom('stream_track')
      .select(['id', 'ended_at', 'snapshot_id', 'clip_id'])
      .execute();
    const media = await query.selectFrom('media_blob').select(['blob_id', 'size_bytes', 'kind']).execute();
    const outputs = await query.selectFrom('stream_output').select('delivered_seq').execute();
    const findings: string[] = [];
    const lastSeq = events.at(-1)?.seq ?? 0;

    const blobs = await openFolderBlobs(blobsDir(folder, 'media'), { mayServiceBeRunning: true });
    const rows = new Map(media.map((row) => [row.blob_id, row]));
    for (const row of media) {
      const bytes = await blobs.sizeOf(row.blob_id);
      if (bytes !== row.size_bytes)
        findings.push(`${row.kind} ${row.blob_id} has ${bytes} bytes, not ${row.size_bytes}`);
    }
    for (const { id, snapshot_id, clip_id } of tracks)
      for (const blob of [snapshot_id, clip_id])
        if (blob !== null && !rows.has(blob))
          findings.push(`track ${id} names ${blob}, of which there is no row`);
    let filesWithoutRow = 0;
    for await (const { id } of blobs.list()) if (!rows.has(id)) filesWithoutRow += 1;

    const kindsOf = new Map<string, string[]>();
    for (const { track_id, kind } of events) {
      if (track_id === null) continue;
      kindsOf.set(track_id, [...(kindsOf.get(track_id) ?? []), kind]);
    }
    for (const { id, ended_at } of tracks) {
      const kinds = kindsOf.get(id) ?? [];
      const [starts, ends] = ['start', 'end'].map((kind) => kinds.filter((each) => each === kind).length);
      if (starts !== 1 || kinds[0] !== 'start') findings.push(`track ${id} has ${starts} starts`);
      if (ends !== (ended_at === null ? 0 : 1)) findings.push(`track ${id} has ${ends} ends`);
    }
    findings.push(...gapsOf(events.map(({ seq }) => seq)));

    // The receiver acknowledges before the service writes that down: it may have one more, never one less.
    const came = new Set(received);
    const delivered = Math.min(...outputs.map(({ delivered_seq }) => delivered_seq));
    const lost = events.filter(({ seq }) => seq <= delivered && !came.has(seq));
    if (lost.length > 0)
      findings.push(`${lost.length} events that count as delivered never came, such as ${lost[0]?.seq}`);
    const firsts = received.filter((seq, index) => received.indexOf(seq) === index);
    if (firsts.some((seq, index) => index > 0 && seq < (firsts[index - 1] ?? 0)))
      findings.push('events came out of order');
    return {
      events: events.length,
      tracks: tracks.length,
      files: media.length,
      filesWithoutRow,
      deliveredSeqs: outputs.map(({ delivered_seq }) => delivered_seq),
      lastSeq,
      findings,
    };
  } finally {
    await storage.close();
  }
}

function gapsOf(seqs: readonly number[]): string[] {
  const missing = seqs.filter((seq, index) => index > 0 && seq !== (seqs[index - 1] ?? 0) + 1);
  return missing.length === 0 ? [] : [`numbers of events have gaps before ${missing.join(', ')}`];
}
