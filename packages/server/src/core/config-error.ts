/** Settings that cannot be used; the message names each and says what to mend. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
