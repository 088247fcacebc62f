import { createHash, randomBytes } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';

const codes = 10;
/** Of chance: out of reach for whoever has a copy of the hashes. */
const codeBytes = 10;
/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** New codes such as `K7QX-M2PA-99TB-ZW4H`, and the statements that put them in the place of the old ones. */
export function renewRecoveryCodes(
  { query }: Pick<Database, 'query'>,
  userId: number,
): { readonly codes: readonly string[]; readonly statements: readonly Compilable[] } {
  const made = Array.from({ length: codes }, makeCode);
  return {
    codes: made,
    statements: [
      query.deleteFrom('web_recovery_code').where('user_id', '=', userId),
      query
        .insertInto('web_recovery_code')
        .values(made.map((code) => ({ user_id: userId, hash: hashCode(code) }))),
    ],
  };
}

/** Whether a text has the form of such a code, however it is spelt. */
export function isRecoveryCode(text: string): boolean {
  return /^[A-Z2-9]{16}$/.test(plain(text));
}

/** Whether it was a code of this user; from now on it is none. */
export async function useRecoveryCode(database: Database, userId: number, code: string): Promise<boolean> {
  const [used] = await database.write([
    database.query
      .deleteFrom('web_recovery_code')
      .where('user_id', '=', userId)
      .where('hash', '=', hashCode(code)),
  ]);
  return used?.changes === 1;
}

function makeCode(): string {
  // 16 letters of five bits each.
  const bits = [...randomBytes(codeBytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g)?.map((five) => alphabet.charAt(Number.parseInt(five, 2))) ?? [];
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

function hashCode(code: string): string {
  return createHash('sha256').update(plain(code), 'utf8').digest('hex');
}

/** Spaces, dashes and small letters are the writer's. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}
