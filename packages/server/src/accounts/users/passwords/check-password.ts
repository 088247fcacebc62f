import { ServiceError } from '../../../core/service-error.js';
import type { PasswordStrength } from './password-strength.js';
import type { PasswordScorer } from './score-passwords.js';

const minLength = 8;
export const maxPasswordLength = 256;
/** Below it, guessing online is within reach. */
const minScore = 3;
/** Shorter words of an address or a name make nothing weak. */
const minOwnLength = 3;

/** Whose password it is: what a guesser would try first. */
export interface PasswordOwner {
  readonly email?: string | null | undefined;
  readonly name?: string | undefined;
  /** Of whoever is known by a session or a link. */
  readonly accountId?: number | undefined;
}

/** How strong a password of any length up to 256 characters is; one that is too short scores no more than 1. */
export async function rateNewPassword(
  scorer: PasswordScorer,
  password: string,
  owner: PasswordOwner,
): Promise<PasswordStrength> {
  const request = { password: password.normalize('NFKC'), own: wordsOf(owner) };
  const strength = await scorer.score(request, owner.accountId ?? null);
  if ([...password].length >= minLength) return strength;
  return {
    score: Math.min(strength.score, 1),
    warning: `It has fewer than ${minLength} characters.`,
    suggestions: strength.suggestions,
  };
}

/** Throws `weak_password`, with what makes it weak, for one that is easy to guess. */
export async function checkNewPassword(
  scorer: PasswordScorer,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const { score, warning, suggestions } = await rateNewPassword(scorer, password, owner);
  if (score >= minScore) return;
  const why = [warning ?? 'It is easy to guess.', ...suggestions].join(' ');
  throw new ServiceError('weak_password', `choose another password. ${why}`);
}

function wordsOf({ email, name }: PasswordOwner): string[] {
  const texts = [email ?? '', name ?? '', 'lynceus'];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words.filter((word) => word.length >= minOwnLength))];
}
