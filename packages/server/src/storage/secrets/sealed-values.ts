import type { Compilable } from 'kysely';
import type { Database } from '../database.js';
import type { Schema } from '../schema.js';
import type { SecretBox } from './secret-box.js';

/** What a sealed text belongs to: opened for anything else it is refused. */
export const sealContexts = {
  dropSecrets: (uid: string) => `drop ${uid}`,
  streamSecrets: (uid: string) => `stream ${uid}`,
  streamOutputSecrets: (uid: string) => `stream output ${uid}`,
  videoSecrets: (uid: string) => `video ${uid}`,
  totp: (userId: number) => `totp of user ${userId}`,
  ftpCertificate: 'certificate of ftp',
  sftpHostKey: 'host keys of sftp',
} as const;

/** One sealed text of the database, and how another takes its place. */
interface SealedValue {
  readonly sealed: string;
  readonly context: string;
  /** Changes nothing where the text was changed meanwhile. */
  replace(sealed: string): Compilable;
}

/** Tables whose rows have `sealed_secrets`: the compiler asks for those that are missing. */
type TableWithSecrets = {
  [Table in keyof Schema]: 'sealed_secrets' extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

/** What their secrets belong to. */
const contextsOfTables: Readonly<Record<TableWithSecrets, (uid: string) => string>> = {
  drop_box: sealContexts.dropSecrets,
  stream: sealContexts.streamSecrets,
  stream_output: sealContexts.streamOutputSecrets,
  video: sealContexts.videoSecrets,
};
const tablesWithSecrets = Object.keys(contextsOfTables) as TableWithSecrets[];

async function readSealedSecrets(
  { query }: Pick<Database, 'query'>,
  table: TableWithSecrets,
): Promise<readonly SealedValue[]> {
  const rows = await query
    .selectFrom(table)
    .select(['account_id', 'id', 'uid', 'sealed_secrets as sealed'])
    .where('sealed_secrets', 'is not', null)
    .execute();
  return rows.flatMap(({ account_id, id, uid, sealed }) =>
    sealed === null
      ? []
      : [
          {
            sealed,
            context: contextsOfTables[table](uid),
            replace: (other: string) =>
              query
                .updateTable(table)
                .set({ sealed_secrets: other })
                .where('account_id', '=', account_id)
                .where('id', '=', id)
                .where('sealed_secrets', '=', sealed),
          },
        ],
  );
}

/** Tables of one row that all services share, and what it belongs to. */
const contextsOfIdentities = {
  ftp_certificate: sealContexts.ftpCertificate,
  sftp_host_key: sealContexts.sftpHostKey,
} as const;
const identityTables = ['ftp_certificate', 'sftp_host_key'] as const;

async function readSealedIdentity(
  { query }: Pick<Database, 'query'>,
  table: keyof typeof contextsOfIdentities,
): Promise<readonly SealedValue[]> {
  const rows = await query.selectFrom(table).select('sealed').execute();
  return rows.map(({ sealed }) => ({
    sealed,
    context: contextsOfIdentities[table],
    replace: (other: string) => query.updateTable(table).set({ sealed: other }).where('sealed', '=', sealed),
  }));
}

/** Every text in the database that is sealed with the key of the installation: a new kind is a row or a few lines here. */
export async function readSealedValues({ query }: Pick<Database, 'query'>): Promise<readonly SealedValue[]> {
  const ofRows = await Promise.all(tablesWithSecrets.map((table) => readSealedSecrets({ query }, table)));
  const users = await query
    .selectFrom('web_user')
    .select(['id', 'sealed_totp', 'sealed_next_totp'])
    .where((row) => row.or([row('sealed_totp', 'is not', null), row('sealed_next_totp', 'is not', null)]))
    .execute();
  const identities = await Promise.all(identityTables.map((table) => readSealedIdentity({ query }, table)));
  return [
    ...identities.flat(),
    ...ofRows.flat(),
    ...users.flatMap((user) =>
      (['sealed_totp', 'sealed_next_totp'] as const).flatMap((column) => {
        const sealed = user[column];
        if (sealed === null) return [];
        return [
          {
            sealed,
            context: sealContexts.totp(user.id),
            replace: (other: string) =>
              query
                .updateTable('web_user')
                .set({ [column]: other })
                .where('id', '=', user.id)
                .where(column, '=', sealed),
          },
        ];
      }),
    ),
  ];
}

/** How many of them this key opens. */
export function countOpened(values: readonly SealedValue[], box: SecretBox): number {
  return values.filter(({ sealed, context }) => box.open(sealed, context) !== null).length;
}
