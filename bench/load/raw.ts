import { connect } from 'node:net';
import { outcomeOf } from './outcome.js';

/** How the client leaves a connection on which it wrote what no proper client would. */
export type Leave = 'stays' | 'ends' | 'resets';

/** The first answer to raw bytes; `closed` when the service closes without one, `left` when the client closed. */
export function exchangeRaw(url: string, bytes: string | Buffer, leave: Leave): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const heard: Buffer[] = [];
    const finish = (unanswered: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcomeOfRaw(Buffer.concat(heard).toString('latin1')) ?? unanswered);
    };
    const timer = setTimeout(() => finish('hangs'), hangMs);
    socket.on('connect', () => {
      if (leave === 'ends') socket.end(bytes);
      else socket.write(bytes);
      if (leave === 'resets') setTimeout(() => finish('left'), resetAfterMs);
    });
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      if (outcomeOfRaw(Buffer.concat(heard).toString('latin1')) !== undefined) finish('closed');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => finish(`failed: ${error.code}`));
    socket.on('close', () => finish('closed'));
  });
}

const hangMs = 30_000;
const resetAfterMs = 30;

/** Of an answer that is whole. */
function outcomeOfRaw(text: string): string | undefined {
  const [head, body] = splitOnce(text, '\r\n\r\n');
  if (body === undefined) return undefined;
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name, value = ''] = splitOnce(line, ':');
      return [name.toLowerCase(), value.trim()];
    }),
  );
  if (body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return outcomeOf({ status: Number(statusLine.split(' ')[1]), headers, text: body });
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
