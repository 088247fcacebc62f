import type { Compilable } from 'kysely';
import { checkName, toName } from '../../accounts/names.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { countUp } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import { StorageError } from '../../storage/storage-error.js';
import type { CheckReferences } from '../check-references.js';
import type { Media } from '../media.js';
import { createAnalyseAgain } from './analyse-again.js';
import { identifyVideo, videoMediaTypes } from './identify-video.js';
import { type Video, videoKind } from './video.js';
import { fileNameOf, parseVideoAddress, sealAddress } from './video-address.js';
import type { VideoQuota } from './video-quota.js';
import { createVideoRows } from './video-rows.js';
import { defaultVideoSettings, mergeVideoSettings, type VideoSettings } from './video-settings.js';

export interface NewVideo {
  /** That of the file unless given. */
  readonly name?: string | undefined;
  /** Absent ones are as usual. */
  readonly settings?: Partial<VideoSettings> | undefined;
}

/** What comes to be known of an upload while it is read. */
export interface UploadedVideo extends NewVideo {
  /** As the client calls it; null where it does not say. */
  readonly fileName: string | null;
}

/** The videos of accounts. One of another account is `not_found`, as one that there is not. */
export type Videos = ReturnType<typeof createVideos>;

interface VideosDeps {
  readonly database: Database;
  /** The same database, for units that write what is sealed. */
  readonly sealing: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly media: Pick<Media, 'write' | 'files'>;
  readonly quota: VideoQuota;
  readonly secretBox: SecretBox;
  readonly checkReferences: CheckReferences;
  readonly limits: Pick<Settings, 'videoDays'>;
}

const dayMs = 86_400_000;
const nameOfNone = 'video';

export function createVideos(deps: VideosDeps) {
  const { database, sealing, clock, jobs, media, quota, secretBox, checkReferences, limits } = deps;
  const { query } = database;
  const rows = createVideoRows(database);

  /** Before the unit that inserts its row, since the file of an upload names it. */
  const takeId = async (accountId: number): Promise<number> => {
    const [counted] = await database.write([countUp(database, accountId, 'video')]);
    return Number(counted?.rows[0]?.['last']);
  };

  const check = async (accountId: number, { name, settings = {} }: NewVideo, usualName: string | null) => {
    const whole = mergeVideoSettings(defaultVideoSettings, settings);
    await checkReferences(accountId, whole);
    return {
      name: name === undefined ? (toName(usualName ?? '') ?? nameOfNone) : checkName('name', name),
      settings: JSON.stringify(whole),
    };
  };

  /** The statements of a new video with the job on it. */
  const insert = (accountId: number, id: number, columns: VideoColumns): readonly Compilable[] => {
    const now = clock();
    const expiresAt = limits.videoDays === 0 ? null : now + limits.videoDays * dayMs;
    const job = jobs.insert(accountId, { kind: videoKind, subject: String(id), payload: {} });
    return [
      query.insertInto('video').values({
        ...{ account_id: accountId, id, created_at: now, expires_at: expiresAt },
        ...columns,
      }),
      job.statement,
    ];
  };

  return {
    read: rows.read,
    /** The newest first; a position is an id. */
    list: rows.list,
    analyseAgain: createAnalyseAgain(deps, rows),

    /**
     * Keeps a file that is still coming, and has it analysed. Throws `unsupported_video`, `file_too_large`, `account_full`,
     * `no_space`, and what wrong settings throw.
     * @param describe asked once the whole file is there
     */
    async add(
      accountId: number,
      content: AsyncIterable<Uint8Array>,
      describe: () => UploadedVideo | Promise<UploadedVideo>,
    ): Promise<Video> {
      await quota.require(accountId, 0);
      const identified = await identifyVideo(content);
      const id = await takeId(accountId);
      const kept = await media.write(
        {
          ...{ accountId, kind: 'video', owner: { videoId: id } },
          mediaType: videoMediaTypes[identified.container],
        },
        quota.guard(accountId, identified.content),
      );
      try {
        const described = await describe();
        const columns = await check(accountId, described, described.fileName);
        const video = { ...columns, uid: ownedUuid(accountId), file_id: kept.id };
        const room = quota.refuseWhenFull(accountId, kept.sizeBytes);
        await database
          .write([...room, ...insert(accountId, id, video), kept.row], { isSerialized: true })
          .catch(rethrowFull);
      } catch (error) {
        await media.files.remove(kept.id);
        throw error;
      }
      jobs.wake();
      return rows.read(accountId, id);
    },

    /** Has a video fetched and analysed. Credentials may be in the address. */
    async addByAddress(accountId: number, text: string, wanted: NewVideo): Promise<Video> {
      const address = parseVideoAddress(text);
      const columns = await check(accountId, wanted, fileNameOf(address));
      await quota.require(accountId, 0);
      const id = await takeId(accountId);
      const uid = ownedUuid(accountId);
      const video = { ...columns, uid, ...sealAddress(address, secretBox, uid) };
      await sealing.write(insert(accountId, id, video));
      jobs.wake();
      return rows.read(accountId, id);
    },
  };
}

interface VideoColumns {
  readonly uid: string;
  readonly name: string;
  readonly settings: string;
  readonly file_id?: string;
  readonly address?: string;
  readonly sealed_secrets?: string;
}

function rethrowFull(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'not-null') throw error;
  throw new ServiceError('account_full', 'the videos of the account take all its room: delete some first', {
    cause: error,
  });
}
