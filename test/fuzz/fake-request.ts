import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A request as Node hands it over, its body in chunks of the given size. */
export function fakeRequest(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  chunkBytes: number,
): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  for (let at = 0; at < body.length; at += chunkBytes) request.push(body.subarray(at, at + chunkBytes));
  request.push(null);
  return request;
}
