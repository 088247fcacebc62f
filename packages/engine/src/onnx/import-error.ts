/** A model file that cannot be read or converted. The message says where and what to fix. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
