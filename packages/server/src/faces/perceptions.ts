import { randomUUID } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Page, PageRequest } from '../storage/page.js';
import type { Calibration, Perception, PerceptionSettings } from './perception.js';
import {
  createPerceptionRows,
  toCalibrationColumn,
  toPerception,
  toPerceptionColumns,
  toSettingsColumns,
} from './perception-rows.js';

/** The perceptions of accounts. One of another account is `invalid_model`, as one that there is not. */
export interface Perceptions {
  create(
    accountId: number,
    wanted: Pick<PerceptionSettings, 'name'> & Partial<PerceptionSettings>,
  ): Promise<Perception>;
  /**
   * One that nobody sees until it is revealed, and that is removed where nobody does; of this embedder, and with a
   * calibration of its own or null.
   */
  createHidden(
    accountId: number,
    wanted: PerceptionSettings,
    described: Pick<Perception, 'embedder' | 'calibration'>,
  ): Promise<Perception>;
  /**
   * Throws `conflict` when it was removed, or has not as many images.
   * @param fence of the work that made it, which ends the unit
   */
  reveal(accountId: number, id: number, images: number, fence: readonly Compilable[]): Promise<Perception>;
  /** The newest first; a position is an id. */
  list(accountId: number, page: PageRequest<number>): Promise<Page<Perception, number>>;
  /** By number or UID; null when there is none. */
  find(accountId: number, reference: string): Promise<Perception | null>;
  read(accountId: number, id: number): Promise<Perception>;
  change(accountId: number, id: number, change: Partial<PerceptionSettings>): Promise<Perception>;
  /**
   * For the time that the perception has the embedder it was measured with. Null: back to the calibration of the
   * embedder.
   */
  calibrate(
    accountId: number,
    perception: Pick<Perception, 'id' | 'embedder'>,
    calibration: Calibration | null,
  ): Promise<Perception>;
  /** Those by which general recognition names faces. */
  naming(accountId: number): Promise<readonly Perception[]>;
}

export interface PerceptionsDeps {
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

export function createPerceptions({ database, clock, embedder }: PerceptionsDeps): Perceptions {
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
    list: rows.list,
    find: rows.find,

    async create(accountId, wanted) {
      const settings = { ...usualSettings, ...wanted };
      const id = await insert(accountId, settings, { embedder, calibration: null }, null);
      return rows.read(accountId, id);
    },

    async createHidden(accountId, wanted, described) {
      const id = await insert(accountId, wanted, described, clock());
      const row = await query
        .selectFrom('perception')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return toPerception(row);
    },

    async reveal(accountId, id, images, fence) {
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

    change: async (accountId, id, change) => rows.update(accountId, id, toPerceptionColumns(change)),
    calibrate: (accountId, { id, embedder: measured }, calibration) =>
      rows.update(accountId, id, { calibration: toCalibrationColumn(calibration, measured) }),

    async naming(accountId) {
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
