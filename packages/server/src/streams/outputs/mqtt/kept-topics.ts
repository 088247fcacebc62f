import type { Compilable } from 'kysely';
import { batchesOf } from '../../../core/batches-of.js';
import type { Logger } from '../../../core/logger.js';
import type { Database } from '../../../storage/database.js';
import type { MqttConnection } from './connection.js';
import { settleAll } from './settle-all.js';

/**
 * Where a broker keeps something of an output, also from processes before this one. A topic is noted before anything is published
 * there, and forgotten after it was cleared: one that is not noted holds nothing of the output.
 */
export interface KeptTopics {
  /** Reads what is noted, the first time. */
  all(): Promise<ReadonlySet<string>>;
  add(topics: readonly string[]): Promise<void>;
  /**
   * Has the broker forget what it keeps there. A topic at which the connection is cut again and again, as brokers do where a client may
   * not publish, is forgotten all the same: nothing else would ever be sent.
   */
  clear(to: MqttConnection, topics: readonly string[]): Promise<void>;
}

export interface KeptTopicsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  /** Of the lease on the output. */
  readonly fence: readonly Compilable[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Rows a statement, and messages at once: at a broker that is far away one at a time would take a minute. */
const batchSize = 50;
/** After so many cuts a topic is forgotten. */
const maxCuts = 2;

/** @param broker its address: what another one keeps is none of this one's */
export function createKeptTopics(
  { database: { query, write }, fence, logger }: KeptTopicsDeps,
  { accountId, id, broker }: { readonly accountId: number; readonly id: number; readonly broker: string },
): KeptTopics {
  let noted: Set<string> | null = null;
  /** How often the connection was lost while a topic was cleared by itself. */
  const cuts = new Map<string, number>();
  let isOneByOne = false;

  const read = async (): Promise<Set<string>> => {
    const rows = await query
      .selectFrom('stream_output_topic')
      .select('topic')
      .where('account_id', '=', accountId)
      .where('output_id', '=', id)
      .where('broker', '=', broker)
      .execute();
    return new Set(rows.map(({ topic }) => topic));
  };
  const load = async (): Promise<Set<string>> => {
    noted ??= await read();
    return noted;
  };
  const forget = async (topics: readonly string[]) => {
    const known = await load();
    // First, for a row that is left or there twice does no harm, and one that is missing does.
    for (const topic of topics) known.delete(topic);
    await write([
      query
        .deleteFrom('stream_output_topic')
        .where('account_id', '=', accountId)
        .where('output_id', '=', id)
        .where('broker', '=', broker)
        .where('topic', 'in', topics),
      ...fence,
    ]);
  };
  const noteCut = async (topics: readonly string[]) => {
    const [topic] = topics;
    isOneByOne = true;
    if (topic === undefined || topics.length > 1) return;
    cuts.set(topic, (cuts.get(topic) ?? 0) + 1);
    if ((cuts.get(topic) ?? 0) < maxCuts) return;
    logger.warn({ output: id, accountId, topic }, 'a broker lets nothing be cleared at a topic; it is left');
    cuts.delete(topic);
    await forget(topics);
  };

  return {
    all: load,

    async add(topics) {
      const known = await load();
      for await (const batch of batchesOf(new Set(topics.filter((topic) => !known.has(topic))), batchSize)) {
        const rows = batch.map((topic) => ({ account_id: accountId, output_id: id, broker, topic }));
        await write([query.insertInto('stream_output_topic').values(rows), ...fence]);
        for (const topic of batch) known.add(topic);
      }
    },

    async clear(to, topics) {
      for await (const batch of batchesOf(topics, isOneByOne ? 1 : batchSize)) {
        try {
          await settleAll(batch.map((topic) => to.publish(topic, '', { retain: true })));
        } catch (error) {
          await noteCut(batch);
          throw error;
        }
        await forget(batch);
      }
    },
  };
}
