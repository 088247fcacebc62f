import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/** 32 random bytes under a name, made when first asked for: the same for every service on the database. */
export async function readSharedSecret({ query, write }: Database, name: string): Promise<Buffer> {
  await write([
    query
      .insertInto('secret')
      .values({ name, value: randomBytes(32).toString('base64url') })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  ]);
  const { value } = await query
    .selectFrom('secret')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64url');
}
