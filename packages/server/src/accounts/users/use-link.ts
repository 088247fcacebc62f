import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Audit } from '../audit/audit.js';
import { auditEntry } from '../audit/audit-entry.js';
import { checkName } from '../names.js';
import { type CodeLimits, originOf } from './code-limits.js';
import { checkEmail, type Email } from './email.js';
import { type FoundLink, type Links, noSuchLink } from './links.js';
import { makeUser, rethrowTaken } from './new-user.js';
import { checkNewPassword } from './passwords/check-password.js';
import type { PasswordHashes } from './passwords/hash-passwords.js';
import type { PasswordScorer } from './passwords/score-passwords.js';
import type { FactorOwner, SecondFactor } from './second-factor.js';
import type { KnownDevices } from './sessions/known-devices.js';
import type { Visitor } from './sessions/session.js';
import type { Sessions } from './sessions/sessions.js';

interface LinkUse {
  readonly token: string;
  /** Wanted by the first link alone; others are for an address already. */
  readonly email?: string | undefined;
  /** Wanted from who is new. */
  readonly name?: string | undefined;
  readonly password: string;
  /** Of the authenticator or of the list on paper, wanted from who has a second factor. */
  readonly code?: string | undefined;
}

/**
 * Lets in by a link, once: makes its user, or gives one another password and ends all their sessions. Answers the token of a
 * new session. Throws `no_such_link`, `weak_password`, `wrong_parameters`, and `conflict` where a user has the address; where
 * the user has a second factor `code_needed`, `wrong_sign_in` and `too_many_requests`, and the link stays unused.
 */
export type UseLink = (
  use: LinkUse,
  visitor: Visitor,
  oldToken: string | undefined,
) => Promise<{ readonly token: string }>;

interface UseLinkDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  readonly hashes: PasswordHashes;
  readonly scorer: PasswordScorer;
  readonly sessions: Pick<Sessions, 'start' | 'endingOthers' | 'endingToken'>;
  readonly devices: Pick<KnownDevices, 'recognize' | 'readOwner'>;
  readonly secondFactor: Pick<SecondFactor, 'accept'>;
  readonly codes: Pick<CodeLimits, 'clearing'>;
  readonly audit: Audit;
}

export function createUseLink(deps: UseLinkDeps): UseLink {
  const { database, clock, links, hashes, scorer, sessions, devices, secondFactor, codes, audit } = deps;
  const { query } = database;
  /** When the link was claimed; NULL, which undoes the unit, where it was deleted meanwhile. */
  const claimedAt = ({ id }: FoundLink) => sql<number>`(select used_at from web_link where id = ${id})`;

  const resetPassword = async (link: FoundLink, userId: number, passwordHash: string, visitor: Visitor) => {
    const { token, statement } = sessions.start(userId, visitor);
    const actor = { kind: 'user', id: userId, name: link.email ?? '', address: visitor.address } as const;
    await database.write([
      links.claim(link),
      query
        .updateTable('web_user')
        .set({
          // The second factor is the one of which a code was given, and none where none was.
          password_hash: sql<string>`case
            when ${claimedAt(link)} is not null and coalesce(sealed_totp, '') = ${link.sealedTotp ?? ''}
            then ${passwordHash} end`,
          signed_in_at: clock(),
          // Whoever had the old one may have prepared a second factor of their own.
          sealed_next_totp: null,
        })
        .where('id', '=', userId),
      sessions.endingOthers(userId),
      codes.clearing(userId),
      statement,
      audit.entry(link.accountId ?? 0, actor, {
        action: 'user.password',
        subject: { kind: 'user', id: userId, name: link.email },
        details: { by: 'link' },
      }),
    ]);
    return token;
  };

  const makeNew = async (
    link: FoundLink,
    user: { readonly email: Email; readonly name: string; readonly passwordHash: string },
    visitor: Visitor,
  ) => {
    const isFirst = link.kind === 'first';
    const oldest = sql<number>`(select min(id) from account where closed_at is null)`;
    const accountId: number | RawBuilder<number> = link.accountId ?? oldest;
    const unlessThereIsOne = sql<number>`(
      select used_at from web_link where id = ${link.id}
      and not exists (select 1 from web_user where is_administrator = 1)
    )`;
    const { statements, id } = makeUser(database, {
      ...user,
      accountId,
      role: isFirst ? 'owner' : (link.role ?? 'reader'),
      isAdministrator: isFirst,
      createdAt: isFirst ? unlessThereIsOne : claimedAt(link),
    });
    const { token, statement } = sessions.start(id, visitor);
    await database
      .write(
        [
          links.claim(link),
          ...statements,
          statement,
          auditEntry(database, {
            accountId,
            at: clock(),
            actor: { kind: 'user', id, name: user.email.text, address: visitor.address },
            auditEvent: {
              action: 'members.join',
              subject: { kind: 'user', id: null, name: user.email.text },
              details: { by: link.kind, role: isFirst ? 'owner' : link.role },
            },
          }),
        ],
        { isSerialized: isFirst },
      )
      .catch(rethrowTaken);
    return token;
  };

  /** A link stands for the password alone: it stays unused until a code is good. */
  const checkCode = async (link: FoundLink, user: FactorOwner, code: string, visitor: Visitor) => {
    const owner = await devices.readOwner(user.id);
    const device = owner ? devices.recognize(visitor.devices, owner) : null;
    if (await secondFactor.accept(user, code, originOf(device))) return;
    const subject = { kind: 'user', id: user.id, name: link.email };
    await audit.write(
      link.accountId ?? 0,
      { kind: 'user', id: user.id, name: link.email ?? '', address: visitor.address },
      { action: 'session.refuse', subject, details: { wrong: 'code', by: 'link' } },
    );
    throw new ServiceError('wrong_sign_in', 'the code is wrong, or was used before; the link stays unused');
  };

  return async ({ token: linkToken, email, name, password, code }, visitor, oldToken) => {
    const link = await links.find(linkToken);
    const linkUser = readLinkUser(link, email, name);
    const { sealedTotp } = link;
    // The first link is of no account yet, and as good as any.
    const accountId = link.accountId ?? 0;
    await checkNewPassword(scorer, password, { email: linkUser.email.text, name: linkUser.name, accountId });
    if (sealedTotp !== null && code === undefined) {
      throw new ServiceError('code_needed', 'give the code of the authenticator, or a recovery code, too');
    }
    const passwordHash = await hashes.make(password, { accountId });
    if (!linkUser.isNew && sealedTotp !== null && code !== undefined) {
      await checkCode(link, { id: linkUser.userId, sealedTotp }, code, visitor);
    }
    const token = await (linkUser.isNew
      ? makeNew(link, { ...linkUser, passwordHash }, visitor)
      : resetPassword(link, linkUser.userId, passwordHash, visitor)
    ).catch((error: unknown) => {
      if (error instanceof StorageError && error.code === 'not-null') throw noSuchLink(error);
      throw error;
    });
    if (oldToken !== undefined) await database.write([sessions.endingToken(oldToken)]);
    return { token };
  };
}

type Person =
  | { readonly isNew: true; readonly email: Email; readonly name: string }
  | { readonly isNew: false; readonly email: Email; readonly name: string; readonly userId: number };

function readLinkUser(link: FoundLink, email: string | undefined, name: string | undefined): Person {
  const own = link.email === null ? null : checkEmail(link.email);
  const given = email === undefined ? null : checkEmail(email);
  if (own && given && own.key !== given.key) {
    throw new ServiceError('wrong_parameters', 'email is another than the link is for; leave it out');
  }
  const address = own ?? given;
  if (!address) throw new ServiceError('wrong_parameters', 'email is missing');
  if (link.userId !== null) return { isNew: false, email: address, name: '', userId: link.userId };
  if (name === undefined) throw new ServiceError('wrong_parameters', 'name is missing');
  return { isNew: true, email: address, name: checkName('name', name) };
}
