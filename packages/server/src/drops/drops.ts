import { randomUUID } from 'node:crypto';
import type { Creator } from '../accounts/creator.js';
import { checkName } from '../accounts/names.js';
import type { OwnKeys } from '../accounts/own-keys.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Page, PageRequest } from '../storage/page.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';
import { StorageError } from '../storage/storage-error.js';
import {
  type DestinationRequest,
  fromRow,
  replaceDestination,
  requireSecrets,
  toRow,
  type WholeDestination,
} from './destination-rows.js';
import type { Drop } from './drop.js';
import { createDropRows, toDrop, updateUnchanged } from './drop-rows.js';
import {
  changeSettings,
  type DropSettingsChange,
  defaultDropSettings,
  readSettings,
} from './drop-settings.js';
import { checkUserName, makeUserName } from './user-name.js';

export interface NewDrop {
  readonly name: string;
  /** One that tells something of the name unless given. */
  readonly userName?: string | undefined;
  readonly settings?: DropSettingsChange | undefined;
  readonly destination?: DestinationRequest | null | undefined;
  /** Of the drop's key. */
  readonly creator: Creator;
}

/** Absent: as it is. */
type DropChange = Partial<Pick<NewDrop, 'name' | 'settings' | 'destination'>>;

/** The drops of accounts. One of another account is `not_found`, as one that there is not. */
export type Drops = ReturnType<typeof createDrops>;

interface DropsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ownKeys: Pick<OwnKeys, 'create' | 'revoke'>;
  readonly secretBox: SecretBox;
  /** The same database, for units that write what is sealed. */
  readonly sealing: Database;
  /** Throws `wrong_parameters` for one that cannot work whatever the far side says. */
  readonly checkDestination: (whole: WholeDestination) => Promise<void>;
}

/** Of one account. */
const maxDrops = 100;

export function createDrops(deps: DropsDeps) {
  const { database, sealing, clock, ownKeys, secretBox, checkDestination } = deps;
  const { query } = database;
  const rows = createDropRows({ database: sealing, clock });
  const read = async (accountId: number, id: number) => toDrop(await rows.read(accountId, id), secretBox);

  const checkQuota = async (accountId: number) => {
    const { count } = await query
      .selectFrom('drop_box')
      .select((from) => from.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count >= maxDrops)
      throw new ServiceError('conflict', `the account has ${maxDrops} drops: delete one first`);
  };

  return {
    read,

    /** The key is in the answer and nowhere else. Throws `conflict` when the user name is taken, or there are too many. */
    async create(accountId: number, wanted: NewDrop): Promise<{ readonly drop: Drop; readonly key: string }> {
      const name = checkName('name', wanted.name);
      const userName = wanted.userName === undefined ? makeUserName(name) : checkUserName(wanted.userName);
      const whole = wanted.destination ? replaceDestination(null, wanted.destination) : null;
      if (whole) await checkDestination(whole);
      const settings = changeSettings(defaultDropSettings, wanted.settings ?? {});
      const uid = randomUUID();
      await checkQuota(accountId);
      const made = await ownKeys.create(accountId, {
        name: `drop ${userName}`,
        expiresAt: null,
        scope: 'drop',
        creator: wanted.creator,
      });
      try {
        const id = await rows.insert(accountId, {
          uid,
          name,
          user_name: userName,
          key_id: made.id,
          settings: JSON.stringify(settings),
          ...(whole ? toRow(whole, secretBox, uid) : { destination: null, sealed_secrets: null }),
          deleted_at: null,
        });
        return { drop: await read(accountId, id), key: made.key };
      } catch (error) {
        await ownKeys.revoke(accountId, made.id, { force: true });
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        throw new ServiceError('conflict', `the user name ${userName} is taken: choose another`, {
          cause: error,
        });
      }
    },

    /** The newest first; a position is an id. */
    async list(accountId: number, page: PageRequest<number>): Promise<Page<Drop, number>> {
      const { items, next } = await rows.list(accountId, page);
      return { items: items.map((row) => toDrop(row, secretBox)), next };
    },

    async change(accountId: number, id: number, { name, settings, destination }: DropChange): Promise<Drop> {
      for (;;) {
        const row = await rows.read(accountId, id);
        const whole = destination && replaceDestination(fromRow(row, secretBox, row.uid), destination);
        if (whole) await checkDestination(whole);
        const isChanged = await updateUnchanged(sealing, row, {
          name: name === undefined ? row.name : checkName('name', name),
          ...(settings
            ? { settings: JSON.stringify(changeSettings(readSettings(row.settings), settings)) }
            : {}),
          ...(destination === null ? { destination: null, sealed_secrets: null } : {}),
          ...(whole ? toRow(whole, secretBox, row.uid) : {}),
        });
        if (isChanged) return read(accountId, id);
      }
    },

    /** Another key in the place of the one that there is, which is refused from now on. */
    async renewKey(
      accountId: number,
      id: number,
      creator: Creator,
    ): Promise<{ readonly drop: Drop; readonly key: string }> {
      const { user_name } = await rows.read(accountId, id);
      const made = await ownKeys.create(accountId, {
        name: `drop ${user_name}`,
        expiresAt: null,
        scope: 'drop',
        creator,
      });
      for (;;) {
        const row = await rows.read(accountId, id);
        if (!(await updateUnchanged(database, row, { key_id: made.id }))) continue;
        await ownKeys.revoke(accountId, row.key_id, { force: true });
        return { drop: await read(accountId, id), key: made.key };
      }
    },

    /** With its secrets; null where there is none. For delivering alone. Throws `DeliveryError` where they cannot be opened. */
    async destination(accountId: number, id: number): Promise<WholeDestination | null> {
      const row = await rows.read(accountId, id);
      const kept = fromRow(row, secretBox, row.uid);
      return kept && requireSecrets(kept);
    },

    /** The key that a host presented first; without effect where a key is known. */
    async keepHostKey(accountId: number, id: number, fingerprint: string) {
      const row = await rows.read(accountId, id);
      const whole = fromRow(row, secretBox, row.uid);
      if (whole?.settings.kind !== 'sftp' || whole.settings.hostKey !== undefined) return;
      const settings = { ...whole.settings, hostKey: fingerprint };
      await database.write([
        query
          .updateTable('drop_box')
          .set({ destination: JSON.stringify(settings) })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          // Unless it was changed meanwhile: then it is another host's.
          .where('destination', '=', row.destination),
      ]);
    },
  };
}
