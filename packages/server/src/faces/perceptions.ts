import type { Updateable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { PerceptionTable } from '../storage/tables/perceptions.js';
import type { Calibration, Perception, PerceptionSettings } from './perception.js';
import {
  insertPerception,
  noSuchPerception,
  toCalibrationColumn,
  toPerception,
  toPerceptionColumns,
} from './perception-rows.js';

/** The perceptions of accounts. One of another account is `invalid_model`, as one that there is not. */
export interface Perceptions {
  create(
    accountId: number,
    wanted: Pick<PerceptionSettings, 'name'> & Partial<PerceptionSettings>,
  ): Promise<Perception>;
  /**
   * One that nobody sees until it is revealed, and that a starting service removes; of this embedder, and with a
   * calibration of its own or null.
   */
  createHidden(
    accountId: number,
    wanted: PerceptionSettings,
    described: Pick<Perception, 'embedder' | 'calibration'>,
  ): Promise<Perception>;
  /** Throws `conflict` when it was removed, or has not as many images. */
  reveal(accountId: number, id: number, images: number): Promise<Perception>;
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
  const visible = (accountId: number) =>
    query
      .selectFrom('perception')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);

  const read = async (accountId: number, id: number): Promise<Perception> => {
    const row = await visible(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw noSuchPerception(String(id));
    return toPerception(row);
  };

  const update = async (accountId: number, id: number, columns: Updateable<PerceptionTable>) => {
    const [updated] = await database.write([
      query
        .updateTable('perception')
        // To itself, since an UPDATE needs a column.
        .set((row) => ({ id: row.ref('id'), ...columns }))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null),
    ]);
    if (updated?.changes !== 1) throw noSuchPerception(String(id));
    return read(accountId, id);
  };

  const insert = async (
    accountId: number,
    settings: PerceptionSettings,
    described: Pick<Perception, 'embedder' | 'calibration'>,
    deletedAt: number | null,
  ): Promise<number> => {
    const statements = insertPerception({ database, clock }, accountId, settings, described, deletedAt);
    const [, made] = await database.write(statements);
    return Number(made?.rows[0]?.['id']);
  };

  return {
    read,

    async create(accountId, wanted) {
      const id = await insert(
        accountId,
        { ...usualSettings, ...wanted },
        { embedder, calibration: null },
        null,
      );
      return read(accountId, id);
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

    async reveal(accountId, id, images) {
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
      ]);
      if (revealed?.changes !== 1) {
        throw new ServiceError('conflict', 'the perception was removed while it was made: make it again');
      }
      return read(accountId, id);
    },

    async list(accountId, { limit, after }) {
      let rows = visible(accountId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toPerception), limit, ({ id }) => id);
    },

    async find(accountId, reference) {
      const wanted = reference.trim();
      const id = /^[0-9]{1,15}$/.test(wanted) ? Number(wanted) : 0;
      // A NUL, which a bind refuses, is in no UID.
      if (id === 0 && !/^[0-9a-f-]{36}$/.test(wanted)) return null;
      const row = await visible(accountId)
        .where((is) => (id > 0 ? is('id', '=', id) : is('uid', '=', wanted)))
        .executeTakeFirst();
      return row ? toPerception(row) : null;
    },

    change: async (accountId, id, change) => update(accountId, id, toPerceptionColumns(change)),
    calibrate: (accountId, { id, embedder: measured }, calibration) =>
      update(accountId, id, { calibration: toCalibrationColumn(calibration, measured) }),

    async naming(accountId) {
      const rows = await visible(accountId).where('names_recognition', '=', 1).orderBy('id').execute();
      return rows.map(toPerception);
    },
  };
}
