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
export type KeptTopics = ReturnType<typeof createKeptTopics>;

interface KeptTopicsDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  /** Of the lease on the output. */
  readonly fence: readonly Compilable[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Rows a statement, and messages at once: at a broker that is far away one at a time would take a minute. */
const batchSize = 50;
/** After so many cuts at a topic it is left out for an hour. */
const maxCutsAtTopic = 2;
const leaveOutMs = 3_600_000;
/** After so many in a row nothing is cleared for a while. */
const maxCutsInARow = 4;
const pauseMs = 600_000;

/** @param broker its address: what another one keeps is none of this one's */
export function createKeptTopics(
  { database: { query, write }, fence, logger }: KeptTopicsDeps,
  { accountId, id, broker }: { readonly accountId: number; readonly id: number; readonly broker: string },
) {
  let noted: Set<string> | null = null;
  /** Topics at which the connection was lost while they were cleared by themselves. */
  const cuts = new Map<string, { count: number; leftOutUntilMs: number }>();
  let cutsInARow = 0;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
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
    for (const topic of topics) {
      known.delete(topic);
      cuts.delete(topic);
    }
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
  const noteCut = (topics: readonly string[]) => {
    isOneByOne = true;
    cutsInARow += 1;
    if (cutsInARow >= maxCutsInARow) {
      cutsInARow = 0;
      pausedUntilMs = performance.now() + pauseMs;
    }
    const [topic] = topics;
    if (topic === undefined || topics.length > 1) return;
    const count = (cuts.get(topic)?.count ?? 0) + 1;
    const isLeftOut = count >= maxCutsAtTopic;
    if (count === maxCutsAtTopic)
      logger.warn({ output: id, accountId, topic }, 'a broker lets nothing be cleared at a topic');
    cuts.set(topic, { count, leftOutUntilMs: performance.now() + (isLeftOut ? leaveOutMs : 0) });
  };
  /** Images first, which may be of people; last what is beside topics at which it was cut, for rights are given by prefix. */
  const inOrder = (topics: readonly string[]): readonly string[] => {
    const cut = new Set([...cuts.keys()].map(firstLevelOf));
    const rank = (topic: string) =>
      (cut.has(firstLevelOf(topic)) ? 2 : 0) + (topic.endsWith('/snapshot') ? 0 : 1);
    return [...topics].sort((one, other) => rank(one) - rank(other));
  };
  const isDue = (topic: string) => performance.now() >= (cuts.get(topic)?.leftOutUntilMs ?? 0);

  return {
    /** Reads what is noted, the first time. */
    all: load,

    async add(topics: readonly string[]) {
      const known = await load();
      for await (const batch of batchesOf(new Set(topics.filter((topic) => !known.has(topic))), batchSize)) {
        const rows = batch.map((topic) => ({ account_id: accountId, output_id: id, broker, topic }));
        await write([query.insertInto('stream_output_topic').values(rows), ...fence]);
        for (const topic of batch) known.add(topic);
      }
    },

    /**
     * Has the broker forget what it keeps there. Brokers cut the connection where a client may not publish: such a topic stays noted and is
     * tried again an hour later, and after several cuts in a row nothing is cleared for ten minutes, so that events go on.
     */
    async clear(to: Pick<MqttConnection, 'publish'>, topics: readonly string[]) {
      if (performance.now() < pausedUntilMs) return;
      const due = inOrder(topics.filter(isDue));
      for await (const batch of batchesOf(due, isOneByOne ? 1 : batchSize)) {
        try {
          await settleAll(batch.map((topic) => to.publish(topic, '', { retain: true })));
        } catch (error) {
          noteCut(batch);
          throw error;
        }
        cutsInARow = 0;
        await forget(batch);
      }
      if (due.length > 0) isOneByOne = false;
    },
  };
}

function firstLevelOf(topic: string): string {
  return topic.split('/')[0] ?? '';
}
