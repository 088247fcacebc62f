/** A model file that is not taken. The message says what was found and what to mend; it is written for its owner. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
}
