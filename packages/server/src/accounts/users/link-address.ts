/**
 * Where a link leads: the token stands behind the #, which browsers send nowhere, so that it is in no log.
 * @param address of the service, without a slash at its end
 */
export function linkTo(address: string, token: string): string {
  return `${address}/welcome#${token}`;
}
