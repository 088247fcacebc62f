/** Why a file of a drop can never be sent on as it is; the message is for its owner. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
}
