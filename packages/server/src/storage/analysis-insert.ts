import type { Compilable, Insertable } from 'kysely';
import type { Database } from './database.js';
import { prepare, type ValueOf } from './prepare.js';
import type { Schema } from './schema.js';

export type AnalysisRow = Required<Insertable<Schema['analysis']>>;

/** The statement that inserts an analysis. It shows its row, so that those of many callers can be inserted by one statement. */
interface AnalysisInsert extends Compilable {
  readonly analysis: AnalysisRow;
}

export function prepareAnalysisInsert({
  query,
}: Pick<Database, 'query'>): (row: AnalysisRow) => AnalysisInsert {
  const insert = prepare(query, (into, value: ValueOf<AnalysisRow>) =>
    into.insertInto('analysis').values({
      fileid: value('fileid'),
      account_id: value('account_id'),
      key_id: value('key_id'),
      operation: value('operation'),
      created_at: value('created_at'),
      expires_at: value('expires_at'),
      record: value('record'),
      summary: value('summary'),
      search_text: value('search_text'),
      image_bytes: value('image_bytes'),
      image_kind: value('image_kind'),
    }),
  );
  return (analysis) => ({ ...insert(analysis), analysis });
}

export function isAnalysisInsert(statement: Compilable): statement is AnalysisInsert {
  return 'analysis' in statement;
}
