import type { Dispatcher } from 'undici';
import { DeliveryError } from './destination.js';
import { quoteRemote } from './explain-failure.js';

const maxAnswerBytes = 4096;

/** Why a receiver did not take what was sent, by the status of its answer, which is none of 200 to 299. */
export function explainRefusal(status: number, text: string): DeliveryError {
  const said =
    text.trim() === ''
      ? `the receiver answers HTTP ${status}`
      : `the receiver answers HTTP ${status}: ${quoteRemote(text)}`;
  if (status >= 300 && status < 400) {
    return new DeliveryError(
      'settings',
      `the receiver answers HTTP ${status} with a redirect, which is not followed; use the final address`,
    );
  }
  if (status === 401 || status === 403 || status === 407)
    return new DeliveryError('credentials', `${said}; check user, password, token or header`);
  if (status === 404 || status === 405) return new DeliveryError('settings', `${said}; check the address`);
  if (status === 507) return new DeliveryError('full', said);
  if (status === 408 || status === 425 || status === 429 || status >= 500 || status < 200)
    return new DeliveryError('unreachable', said);
  return new DeliveryError('refused', said);
}

/** The first bytes of an answer, for the text of an error; the caller ends the connection. */
export async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const source: AsyncIterable<Buffer> = body;
  try {
    for await (const chunk of source) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxAnswerBytes) break;
    }
  } catch {
    // The bytes received so far are used.
  }
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8');
}
