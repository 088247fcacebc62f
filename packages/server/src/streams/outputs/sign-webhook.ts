import { createHmac } from 'node:crypto';

/**
 * The value of `Lynceus-Signature`: `t=UNIX,v1=HEX`, the HMAC-SHA256 of `UNIX.BODY` by the key of the output, so that a receiver
 * refuses what others send, and an old request that somebody recorded.
 * @param unixSeconds when the request is sent
 */
export function signWebhook(key: string, body: string, unixSeconds: number): string {
  const mac = createHmac('sha256', key).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${mac}`;
}
