import { Client } from 'pg';

/** What the tables say of the calls of an account; the same number in each when they are exact. */
export interface Counts {
  readonly account: string;
  readonly callLimit: number | null;
  /** Analyses. */
  readonly rows: number;
  readonly usage: number;
  readonly usedByKeys: number;
  readonly used: number;
}

/** Of every account, by its id. */
export async function readCounts(databaseUrl: string): Promise<readonly Counts[]> {
  const { rows } = await query(
    databaseUrl,
    `select name, call_limit, calls_used,
      (select count(*) from analysis where account_id = account.id) as rows,
      (select coalesce(sum(calls), 0) from usage where account_id = account.id) as usage,
      (select coalesce(sum(calls_used), 0) from api_key where account_id = account.id) as used_by_keys
    from account order by id`,
  );
  return rows.map((row) => ({
    account: String(row['name']),
    callLimit: row['call_limit'] === null ? null : Number(row['call_limit']),
    rows: Number(row['rows']),
    usage: Number(row['usage']),
    usedByKeys: Number(row['used_by_keys']),
    used: Number(row['calls_used']),
  }));
}

/** The ids that have no analysis. */
export async function findMissing(
  databaseUrl: string,
  fileids: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await query(
    databaseUrl,
    'select asked.fileid from unnest($1::text[]) as asked(fileid) left join analysis using (fileid) where analysis.fileid is null',
    [fileids],
  );
  return rows.map((row) => String(row['fileid']));
}

export async function query(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ readonly rows: readonly Record<string, unknown>[] }> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // The server of the tests has another default.
    await client.query("set default_transaction_isolation = 'read committed'");
    return await client.query<Record<string, unknown>>(text, [...values]);
  } finally {
    await client.end();
  }
}
