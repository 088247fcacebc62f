import { batchesOf } from '../../../core/batches-of.js';
import type { Database } from '../../../storage/database.js';

/**
 * Where the broker keeps something of an output, also from processes before this one. A topic is noted before anything is published
 * there, and forgotten after it was cleared: one that is not noted holds nothing.
 */
export interface KeptTopics {
  /** Reads what is noted, the first time. */
  all(): Promise<ReadonlySet<string>>;
  add(topics: readonly string[]): Promise<void>;
  remove(topics: readonly string[]): Promise<void>;
}

/** Rows a statement: databases take only so many values in one. */
const batchSize = 500;

export function createKeptTopics(
  database: Pick<Database, 'query' | 'write'>,
  { accountId, outputId }: { readonly accountId: number; readonly outputId: number },
): KeptTopics {
  const { query, write } = database;
  let noted: Set<string> | null = null;

  const read = async (): Promise<Set<string>> => {
    const rows = await query
      .selectFrom('stream_output_topic')
      .select('topic')
      .where('account_id', '=', accountId)
      .where('output_id', '=', outputId)
      .execute();
    return new Set(rows.map(({ topic }) => topic));
  };
  const load = async (): Promise<Set<string>> => {
    noted ??= await read();
    return noted;
  };

  return {
    all: load,

    async add(topics) {
      const known = await load();
      for await (const batch of batchesOf(new Set(topics.filter((topic) => !known.has(topic))), batchSize)) {
        const rows = batch.map((topic) => ({ account_id: accountId, output_id: outputId, topic }));
        await write([query.insertInto('stream_output_topic').values(rows)]);
        for (const topic of batch) known.add(topic);
      }
    },

    async remove(topics) {
      const known = await load();
      for await (const batch of batchesOf(topics, batchSize)) {
        await write([
          query
            .deleteFrom('stream_output_topic')
            .where('account_id', '=', accountId)
            .where('output_id', '=', outputId)
            .where('topic', 'in', batch),
        ]);
        for (const topic of batch) known.delete(topic);
      }
    },
  };
}
