export type DropErrorCode =
  | 'not-found'
  | 'exists'
  /** A folder where a file is wanted, or the other way. */
  | 'wrong-kind'
  | 'not-empty'
  /** Nothing can be written there: `done`, `failed` and the root keep what the service puts there. */
  | 'read-only'
  /** A name that cannot be kept, such as one with control characters. */
  | 'name'
  /** There is less of the file than is to be gone on with. */
  | 'offset'
  /** It is being received or worked on just now. */
  | 'busy'
  /** The disk has no more room to give. */
  | 'full'
  /** The object store with the bytes does not answer. */
  | 'away'
  /** The drop has no more room: too many files wait, or too many bytes. */
  | 'too-many'
  | 'too-large';

/** Why something in a drop's folders cannot be done; the message is for whoever is connected. */
export class DropError extends Error {
  override readonly name = 'DropError';
  readonly code: DropErrorCode;

  constructor(code: DropErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
