import type { Job } from '../types/jobs.js';

/** The jobs in a stream of server-sent events; leaving the loop closes it. */
export async function* readJobEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Job, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').find((line) => line.startsWith('data: '));
        if (data) yield JSON.parse(data.slice(6)) as Job;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
