/** Something in the way of an installation; the message says what to do. */
export class InstallRefused extends Error {
  override readonly name = 'InstallRefused';
}
