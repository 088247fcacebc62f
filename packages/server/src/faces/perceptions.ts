import { randomUUID } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Calibration, Perception, PerceptionSettings } from './perception.js';
import {
  createPerceptionRows,
  toCalibrationColumn,
  toPerception,
  toPerceptionColumns,
  toSettingsColumns,
} from './perception-rows.js';

/** The perceptions of accounts. One of another account is `invalid_model`, as one that there is not. */
export type Perceptions = ReturnType<typeof createPerceptions>;

interface PerceptionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The embedder of new perceptions, with its version. */
  readonly embedder: string;
}

const usualSettings = {
  decisionSimilarity: 0.5,
  wantsLiveness: false,
  namesRecognition: false,
  refusedProblems: [],
} as const satisfies Omit<PerceptionSettings, 'name'>;

export function createPerceptions({ database, clock, embedder }: PerceptionsDeps) {
  const { query } = database;
  const rows = createPerceptionRows({ database, clock });

  const insert = async (
    accountId: number,
    settings: PerceptionSettings,
    described: Pick<Perception, 'embedder' | 'calibration'>,
    deletedAt: number | null,
  ): Promise<number> =>
    rows.insert(accountId, {
      ...toSettingsColumns(settings),
      uid: randomUUID(),
      calibration: toCalibrationColumn(described.calibration, described.embedder),
      embedder: described.embedder,
      deleted_at: deletedAt,
    });

  return {
    read: rows.read,
    /** The newest first; a position is an id. */
    list: rows.list,
    /** By number or UID; null when there is none. */
    find: rows.find,

    async create(
      accountId: number,
      wanted: Pick<PerceptionSettings, 'name'> & Partial<PerceptionSettings>,
    ): Promise<Perception> {
      const settings = { ...usualSettings, ...wanted };
      const id = await insert(accountId, settings, { embedder, calibration: null }, null);
      return rows.read(accountId, id);
    },

    /**
     * One that nobody sees until it is revealed, and that is removed where nobody does; of this embedder, and with a
     * calibration of its own or null.
     */
    async createHidden(
      accountId: number,
      wanted: PerceptionSettings,
      described: Pick<Perception, 'embedder' | 'calibration'>,
    ): Promise<Perception> {
      const id = await insert(accountId, wanted, described, clock());
      const row = await query
        .selectFrom('perception')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return toPerception(row);
    },

    /**
     * Throws `conflict` when it was removed, or has not as many images.
     * @param fence of the work that made it, which ends the unit
     */
    async reveal(
      accountId: number,
      id: number,
      images: number,
      fence: readonly Compilable[],
    ): Promise<Perception> {
      const [revealed] = await database.write([
        query
          .updateTable('perception')
          .set({ deleted_at: null })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where((row) =>
            row(
              row
                .selectFrom('face_image')
                .select((inner) => inner.fn.countAll<number>().as('count'))
                .where('face_image.account_id', '=', accountId)
                .where('face_image.perception_id', '=', id),
              '=',
              images,
            ),
          ),
        ...fence,
      ]);
      if (revealed?.changes !== 1) {
        throw new ServiceError('conflict', 'the perception was removed while it was made: make it again');
      }
      return rows.read(accountId, id);
    },

    change: async (accountId: number, id: number, change: Partial<PerceptionSettings>): Promise<Perception> =>
      rows.update(accountId, id, toPerceptionColumns(change)),
    /**
     * For the time that the perception has the embedder it was measured with. Null: back to the calibration of the
     * embedder.
     */
    calibrate: (
      accountId: number,
      { id, embedder: measured }: Pick<Perception, 'id' | 'embedder'>,
      calibration: Calibration | null,
    ): Promise<Perception> =>
      rows.update(accountId, id, { calibration: toCalibrationColumn(calibration, measured) }),

    /** Those by which general recognition names faces. */
    async naming(accountId: number): Promise<readonly Perception[]> {
      const found = await query
        .selectFrom('perception')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null)
        .where('names_recognition', '=', 1)
        .orderBy('id')
        .execute();
      return found.map(toPerception);
    },
  };
}
