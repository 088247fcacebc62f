/** Settings that cannot be used; the message names each and says what to fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
