import { sql } from 'kysely';
import type { Database } from '../../storage/database.js';

/** What a page must know before anybody is signed in. */
export interface SignInState {
  readonly openSignUp: boolean;
  /** Without one, the link that the service printed is the way in. */
  readonly hasUsers: boolean;
}

export async function readSignInState(
  { query }: Pick<Database, 'query'>,
  openSignUp: boolean,
): Promise<SignInState> {
  const anybody = await query.selectFrom('web_user').select(sql`1`.as('one')).limit(1).executeTakeFirst();
  return { openSignUp, hasUsers: anybody !== undefined };
}
