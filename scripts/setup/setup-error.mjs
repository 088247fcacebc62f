/** What stands in the way of starting, in words for the person who typed the command. */
export class SetupError extends Error {
  name = 'SetupError';
}
