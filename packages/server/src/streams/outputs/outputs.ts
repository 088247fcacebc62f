import { randomBytes, randomUUID } from 'node:crypto';
import { Value } from 'typebox/value';
import { checkName } from '../../accounts/names.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import type { Page, PageRequest } from '../../storage/page.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import type { StreamOutput } from './output.js';
import {
  createOutputRows,
  fromColumns,
  type OutputRow,
  replaceOutput,
  requireSecrets,
  toColumns,
  toOutput,
  updateUnchanged,
  type WholeOutput,
} from './output-rows.js';
import {
  mergeOutputSettings,
  type OutputSecrets,
  OutputSettings,
  type OutputSettingsChange,
  readOutputSettings,
} from './output-settings.js';
import { newestSeq } from './read-events.js';

export interface NewOutput {
  readonly name: string;
  /** True unless given. */
  readonly isEnabled?: boolean | undefined;
  readonly settings: OutputSettingsChange;
  readonly secrets?: OutputSecrets | undefined;
}

/** Absent: as it is. */
type OutputChange = Partial<NewOutput>;

/** Where accounts have events of streams sent. One of another account is `not_found`, as one that there is not. */
export type StreamOutputs = ReturnType<typeof createStreamOutputs>;

interface StreamOutputsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The same database, for units that write what is sealed. */
  readonly sealing: Database;
  /** Throws `wrong_parameters` for one that cannot work whatever the receiver says. */
  readonly checkOutput: (whole: WholeOutput) => void;
  /** One was created, changed or removed. */
  readonly onChanged: () => void;
}

/** Of one account. */
const maxOutputs = 20;

export function createStreamOutputs(deps: StreamOutputsDeps) {
  const { database, sealing, clock, secretBox, checkOutput, onChanged } = deps;
  const { query } = database;
  const rows = createOutputRows({ database: sealing, clock });
  const show = (row: OutputRow) => toOutput(row, secretBox);
  const deleteRow = (row: Pick<OutputRow, 'account_id' | 'id'>) =>
    database.write([
      query.deleteFrom('stream_output').where('account_id', '=', row.account_id).where('id', '=', row.id),
    ]);

  const checkStreams = async (accountId: number, ids: readonly number[]) => {
    if (ids.length === 0) return;
    const found = await query
      .selectFrom('stream')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute();
    const missing = ids.find((id) => !found.some((stream) => stream.id === id));
    if (missing !== undefined)
      throw new ServiceError('wrong_parameters', `settings.streams: ${missing} is not one of your streams`);
  };

  return {
    /**
     * It begins with the next event. `signingKey` is one that was made: it is in the answer and nowhere else. Throws `account_full`
     * at the limit, and `wrong_parameters`.
     */
    async create(
      accountId: number,
      { name, isEnabled = true, settings: wanted, secrets = {} }: NewOutput,
    ): Promise<{ readonly output: StreamOutput; readonly signingKey: string | null }> {
      const settings = checkSettings(mergeOutputSettings(null, wanted));
      const needsKey = settings.kind === 'webhook' && secrets.signingKey === undefined;
      const signingKey = needsKey ? randomBytes(32).toString('base64url') : null;
      const whole = replaceOutput(null, settings, signingKey === null ? secrets : { ...secrets, signingKey });
      checkOutput(whole);
      await checkStreams(accountId, settings.streams);
      const uid = randomUUID();
      const id = await rows.insert(
        accountId,
        {
          uid,
          name: checkName('name', name),
          kind: settings.kind,
          ...toColumns(whole, secretBox, uid),
          is_enabled: isEnabled ? 1 : 0,
          revision: 1,
          delivered_seq: await newestSeq(database, accountId),
          failing_since: null,
          error: null,
          given_up: 0,
          deleted_at: null,
        },
        { max: maxOutputs, plural: 'outputs of streams' },
      );
      onChanged();
      return { output: show(await rows.read(accountId, id)), signingKey };
    },

    /** The newest first; a position is an id. */
    async list(accountId: number, page: PageRequest<number>): Promise<Page<StreamOutput, number>> {
      const { items, next } = await rows.list(accountId, page);
      return { items: items.map(show), next };
    },

    read: async (accountId: number, id: number): Promise<StreamOutput> =>
      show(await rows.read(accountId, id)),

    /** One that is enabled again begins with the next event. */
    async change(
      accountId: number,
      id: number,
      { name, isEnabled, settings: change, secrets }: OutputChange,
    ): Promise<StreamOutput> {
      for (;;) {
        const row = await rows.read(accountId, id);
        const kept = fromColumns(row, secretBox);
        if (change && change.kind !== row.kind)
          throw new ServiceError(
            'wrong_parameters',
            `settings.kind must be ${row.kind}: create another output`,
          );
        const settings = change ? checkSettings(mergeOutputSettings(kept.settings, change)) : kept.settings;
        const whole = change || secrets ? replaceOutput(kept, settings, secrets ?? {}) : null;
        if (whole) checkOutput(whole);
        if (change?.streams) await checkStreams(accountId, change.streams);
        const begins = isEnabled === true && row.is_enabled === 0;
        const isChanged = await updateUnchanged(sealing, row, {
          ...(name === undefined ? {} : { name: checkName('name', name) }),
          ...(whole ? toColumns(whole, secretBox, row.uid) : {}),
          ...(isEnabled === undefined ? {} : { is_enabled: isEnabled ? 1 : 0 }),
          ...(begins ? { delivered_seq: await newestSeq(database, accountId) } : {}),
          failing_since: null,
          error: null,
        });
        if (!isChanged) continue;
        onChanged();
        return show(await rows.read(accountId, id));
      }
    },

    /** Hidden at once; what it keeps at a broker is removed before the row. */
    async remove(accountId: number, id: number) {
      await rows.remove(accountId, id, async (row) => {
        // A service that sends events deletes the others, once nothing of them is left at their broker.
        if (row.kind === 'webhook') await deleteRow(row);
      });
      onChanged();
    },

    /** With its secrets. Throws `DeliveryError` where they cannot be opened. */
    async whole(accountId: number, id: number): Promise<WholeOutput & Pick<OutputRow, 'uid'>> {
      const row = await rows.read(accountId, id);
      return { ...requireSecrets(fromColumns(row, secretBox)), uid: row.uid };
    },

    /** Has one that fails tried again at once, by whichever service sends its events. */
    async retryNow(accountId: number, id: number) {
      const row = await rows.read(accountId, id);
      if (row.failing_since === null) return;
      await updateUnchanged(sealing, row, { failing_since: null, error: null });
      onChanged();
    },

    /** Of the first enabled output that publishes as Frigate does; null where there is none. */
    async frigatePrefix(accountId: number): Promise<string | null> {
      const { items } = await rows.list(accountId, { limit: maxOutputs, after: undefined });
      for (const row of items) {
        const settings = readOutputSettings(row.kind, row.settings);
        if (row.is_enabled === 1 && settings.kind === 'mqtt' && settings.frigate)
          return settings.frigatePrefix;
      }
      return null;
    },

    /** Deletes rows that were hidden so long ago; returns how many. */
    finishRemovals: (hiddenForMs: number): Promise<number> =>
      rows.finishRemovals(deleteRow, { hiddenBefore: clock() - hiddenForMs }),
  };
}

/** Throws `wrong_parameters`; the fields were checked one by one before, but not whether all are there. */
function checkSettings(settings: unknown): OutputSettings {
  if (Value.Check(OutputSettings, settings)) return settings;
  throw new ServiceError('wrong_parameters', 'settings.url is missing');
}
