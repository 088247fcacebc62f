import { type SqlBool, sql } from 'kysely';
import { caseFold } from '../names.js';
import type { Email } from './email.js';

/** What a search for people looks through. */
export function searchTextOf(name: string, email: Pick<Email, 'key'>): string {
  return `${caseFold(name)}\n${email.key}`;
}

/** Whether a part of the name or of the mail address is this, in large or small letters. */
export function isFoundBy(search: string) {
  const pattern = `%${caseFold(search).replace(/[!%_]/g, '!$&')}%`;
  return sql<SqlBool>`web_user.search_text like ${pattern} escape '!'`;
}
