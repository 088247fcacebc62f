/** One thing that was looked at, as an operator and whoever helps them read it. */
export interface Finding {
  /** In a word or two, such as `disk`. */
  readonly subject: string;
  /** Something is wrong: it does not work, or not for long. A notice: it works, but not as well as it could. */
  readonly state: 'fine' | 'notice' | 'wrong';
  /** What was found; without secrets. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
}

export const fine = (subject: string, text: string): Finding => ({ subject, state: 'fine', text });

export const notice = (subject: string, text: string, advice?: string): Finding => ({
  ...{ subject, text },
  ...(advice !== undefined && { advice }),
  state: 'notice',
});

export const wrong = (subject: string, text: string, advice?: string): Finding => ({
  ...{ subject, text },
  ...(advice !== undefined && { advice }),
  state: 'wrong',
});

/** What a failure says in one line. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `1.5 GiB`; in MiB below one. */
export function formatBytes(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
