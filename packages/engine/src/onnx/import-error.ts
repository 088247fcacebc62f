/** A model file that cannot be read or converted. The message names the place and says what to mend. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
