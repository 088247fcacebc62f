import { randomUUID } from 'node:crypto';
import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Database } from '../storage/database.js';
import type { Page, PageRequest } from '../storage/page.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';
import { mergeSettings, type StreamSettingsChange } from './check-settings.js';
import { replaceSource, withSharedCredentials } from './replace-source.js';
import { fromRow, requireWhole, toRow, type WholeSource } from './source-rows.js';
import type { SourceInput, Stream } from './stream.js';
import { createStreamRows, toStream, updateUnchanged } from './stream-rows.js';
import { defaultStreamSettings, readStreamSettings, type StreamSettings } from './stream-settings.js';

export interface NewStream {
  readonly name: string;
  readonly source: SourceInput;
  readonly settings?: StreamSettingsChange | undefined;
  /** True unless given. */
  readonly isEnabled?: boolean | undefined;
}

/** Absent: as it is. */
export type StreamChange = Partial<NewStream>;

/** What somebody who runs streams looks for every few seconds. */
export interface RunnableStream {
  readonly accountId: number;
  readonly id: number;
  readonly revision: number;
}

/** A stream with its secrets, for running it. */
export interface StreamForRunning extends Stream {
  readonly accountId: number;
  /** Throws `conflict` where it was sealed with another key of the installation; the message is for the stream's owner. */
  readonly openSource: () => WholeSource;
}

/** The streams of accounts. One of another account is `not_found`, as one that there is not. */
export type Streams = ReturnType<typeof createStreams>;

interface StreamsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** The same database, for units that write what is sealed. */
  readonly sealing: Pick<Database, 'query' | 'write'>;
  /** 0: any number. */
  readonly maxPerAccount: number;
  /** Throws for what the account does not have: a model, a perception. */
  readonly checkReferences: (accountId: number, settings: StreamSettings) => Promise<void>;
  /** Throws for a device that is not allowed, or a video that the account does not have. */
  readonly checkSource: (accountId: number, source: WholeSource) => Promise<void>;
}

export function createStreams(deps: StreamsDeps) {
  const { database, sealing, clock, secretBox, maxPerAccount, checkReferences, checkSource } = deps;
  const { query } = database;
  const rows = createStreamRows({ database: sealing, clock });

  return {
    /** Throws `account_full` at the limit, `invalid_model` and `wrong_parameters`. */
    async create(
      accountId: number,
      { name, source, settings = {}, isEnabled = true }: NewStream,
    ): Promise<Stream> {
      const uid = randomUUID();
      const merged = mergeSettings(defaultStreamSettings, settings);
      const whole = replaceSource(null, source);
      const checkedName = checkName('name', name);
      await checkReferences(accountId, merged);
      await checkSource(accountId, whole);
      const id = await rows.insert(
        accountId,
        {
          uid,
          name: checkedName,
          ...toRow(whole, secretBox, uid),
          settings: JSON.stringify(merged),
          is_enabled: isEnabled ? 1 : 0,
          revision: 1,
          deleted_at: null,
        },
        { max: maxPerAccount, plural: 'streams' },
      );
      return toStream(await rows.read(accountId, id));
    },

    /** The newest first; a position is an id. */
    async list(accountId: number, page: PageRequest<number>): Promise<Page<Stream, number>> {
      const { items, next } = await rows.list(accountId, page);
      return { items: items.map(toStream), next };
    },

    read: async (accountId: number, id: number): Promise<Stream> => toStream(await rows.read(accountId, id)),

    async change(
      accountId: number,
      id: number,
      { name, source, settings, isEnabled }: StreamChange,
    ): Promise<Stream> {
      for (;;) {
        const row = await rows.read(accountId, id);
        const merged = settings && mergeSettings(readStreamSettings(row.settings), settings);
        const whole = source && replaceSource(fromRow(row, secretBox, row.uid), source);
        if (merged) await checkReferences(accountId, merged);
        if (whole) await checkSource(accountId, whole);
        const isChanged = await updateUnchanged(sealing, row, {
          ...(name === undefined ? {} : { name: checkName('name', name) }),
          ...(merged ? { settings: JSON.stringify(merged) } : {}),
          ...(whole ? toRow(whole, secretBox, row.uid) : {}),
          ...(isEnabled === undefined ? {} : { is_enabled: isEnabled ? 1 : 0 }),
        });
        if (isChanged) return toStream(await rows.read(accountId, id));
      }
    },

    /**
     * What a stream is opened with, or would be with another source in the place of its own; without a stream, what a new one would
     * be. For trying it. Throws as `create` and `change` do.
     */
    async wholeSource(accountId: number, id: number | null, wanted?: SourceInput): Promise<WholeSource> {
      const row = id === null ? null : await rows.read(accountId, id);
      const old = row && fromRow(row, secretBox, row.uid);
      const whole = wanted ? replaceSource(old, wanted) : old && requireWhole(old);
      if (whole === null) throw new TypeError('there is no source to open');
      await checkSource(accountId, whole);
      return withSharedCredentials(whole);
    },

    /** Enabled streams of all accounts that are open. */
    async forRunning(): Promise<readonly RunnableStream[]> {
      const found = await query
        .selectFrom('stream')
        .innerJoin('account', 'account.id', 'stream.account_id')
        .select(['stream.account_id as accountId', 'stream.id as id', 'stream.revision as revision'])
        .where('stream.is_enabled', '=', 1)
        .where('stream.deleted_at', 'is', null)
        .where('account.closed_at', 'is', null)
        .orderBy('stream.account_id')
        .orderBy('stream.id')
        .execute();
      return found;
    },

    /** Null where it is deleted or disabled. */
    async readForRunning(accountId: number, id: number): Promise<StreamForRunning | null> {
      const row = await rows.read(accountId, id).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'not_found') return null;
        throw error;
      });
      if (row === null || row.is_enabled !== 1) return null;
      return {
        ...toStream(row),
        accountId,
        openSource: () => withSharedCredentials(requireWhole(fromRow(row, secretBox, row.uid))),
      };
    },
  };
}
