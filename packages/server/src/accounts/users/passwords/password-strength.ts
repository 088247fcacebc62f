/** How hard a password is to guess. */
export interface PasswordStrength {
  /** From 0 to 4. 0: among the first a guesser tries; 3: out of reach of guessing online; 4: of guessing with a copy of the hash too. */
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
}

export interface StrengthRequest {
  readonly password: string;
  /** Words that are known of whose it is. */
  readonly own: readonly string[];
}
