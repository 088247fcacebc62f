/** A refused model file. The message says what was found and what to fix; it is written for its user. */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused';
}
