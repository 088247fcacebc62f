import { LynceusError } from '../error.js';

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The events in a stream of server-sent events that have data; leaving the loop closes it. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        if (cause instanceof LynceusError) throw cause;
        throw new LynceusError('network_error', 'the connection was lost', { cause });
      });
      if (done) return;
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split('\n');
        const field = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length);
        const data = field('data: ');
        if (data !== undefined) yield { event: field('event: ') ?? 'message', data: parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new LynceusError('unreadable_answer', 'an event is not JSON', { cause });
  }
}
