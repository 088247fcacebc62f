import { ServiceError } from '../../../core/service-error.js';
import { type Job, type JobControl, JobFailure } from '../../../service/jobs/job.js';
import { createTimeLeft } from '../../../service/jobs/time-left.js';
import type { Database } from '../../../storage/database.js';
import type { SecretBox } from '../../../storage/secrets/secret-box.js';
import { StorageError } from '../../../storage/storage-error.js';
import type { Media } from '../../media.js';
import type { ReachStreamHost } from '../../sources/stream-hosts.js';
import { fetchVideo } from '../fetch-video.js';
import { identifyVideo, videoMediaTypes } from '../identify-video.js';
import { openAddress } from '../video-address.js';
import type { VideoQuota } from '../video-quota.js';

interface FetchFileDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly quota: VideoQuota;
  readonly secretBox: SecretBox;
  readonly reach: ReachStreamHost;
  readonly maxBytes: number;
}

const mebibyte = 1024 * 1024;
const reportEveryMs = 500;

/** Fetches the file of a video that came by its address, unless it has one. Throws `JobFailure` where trying again is of no use. */
export async function fetchFile(
  deps: FetchFileDeps,
  { accountId, subject }: Job,
  control: JobControl,
): Promise<void> {
  const { database, media, quota, secretBox, reach, maxBytes } = deps;
  const { query } = database;
  const videoId = Number(subject);
  const row = await query
    .selectFrom('video')
    .select(['uid', 'file_id', 'sealed_secrets'])
    .where('account_id', '=', accountId)
    .where('id', '=', videoId)
    .executeTakeFirst();
  if (row === undefined) throw new JobFailure('the video was deleted meanwhile');
  if (row.file_id !== null) return;
  const address = row.sealed_secrets === null ? null : openAddress(row.sealed_secrets, secretBox, row.uid);
  if (address === null) {
    throw new JobFailure(
      'the address of the video cannot be opened: it was sealed with another key of the installation; add the video again',
    );
  }
  let expectedBytes: number | null = null;
  const counted = countBytes(control, () => expectedBytes);
  const content = fetchVideo(address, {
    ...{ reach, maxBytes, signal: control.signal },
    onLength(bytes) {
      expectedBytes = bytes;
    },
  });
  try {
    await quota.require(accountId, 0);
    const identified = await identifyVideo(content);
    const kept = await media.write(
      {
        ...{ accountId, kind: 'video', owner: { videoId } },
        mediaType: videoMediaTypes[identified.container],
      },
      counted(quota.guard(accountId, identified.content)),
    );
    await database
      .write(
        [
          ...quota.refuseWhenFull(accountId, kept.sizeBytes),
          kept.row,
          query
            .updateTable('video')
            // What opened it is needed no longer.
            .set({ file_id: kept.id, sealed_secrets: null })
            .where('account_id', '=', accountId)
            .where('id', '=', videoId),
          ...control.fence,
        ],
        { isSerialized: true },
      )
      .catch(async (error: unknown) => {
        await media.files.remove(kept.id);
        // Another has the job, or the room.
        if (error instanceof StorageError && error.code === 'not-null')
          await quota.require(accountId, kept.sizeBytes);
        throw error;
      });
  } catch (error) {
    control.signal.throwIfAborted();
    throw toFailure(error);
  }
}

/** Passes pieces on and reports how many mebibytes came. */
function countBytes(control: JobControl, expectedBytes: () => number | null) {
  const timeLeft = createTimeLeft(() => performance.now());
  return async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let [bytes, reportedMs] = [0, Number.NEGATIVE_INFINITY];
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      yield piece;
      const nowMs = performance.now();
      if (nowMs - reportedMs < reportEveryMs) continue;
      reportedMs = nowMs;
      const expected = expectedBytes();
      const progress = {
        stage: 'fetching',
        done: bytes / mebibyte,
        total: expected === null ? null : expected / mebibyte,
      };
      control.progress({ ...progress, secondsLeft: timeLeft(progress) ?? null });
    }
  };
}

/** A server that is away may be back; what it said stays said. */
function toFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code === 'address_not_reachable') return error;
  return new JobFailure(error.message, { cause: error });
}
