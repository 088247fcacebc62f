import { LynceusError } from '../error.js';

/** What a call fails with when its caller's signal fires. */
export const givenUp = (signal: AbortSignal): LynceusError =>
  new LynceusError('aborted', 'the call was given up', { cause: signal.reason });

/**
 * The same bytes until the signal fires: then reading them fails, and the connection is closed. Nothing stays attached to the
 * signal when the stream was read to its end or cancelled.
 */
export function endWith(signal: AbortSignal, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let detach = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const onAbort = () => {
          controller.error(givenUp(signal));
          reader.cancel().catch(() => undefined);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        detach = () => signal.removeEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      },
      pull: async (controller) => {
        try {
          const { value, done } = await reader.read();
          if (signal.aborted) return;
          if (!done) return controller.enqueue(value);
          detach();
          controller.close();
        } catch (error) {
          detach();
          throw error;
        }
      },
      cancel: (reason) => {
        detach();
        return reader.cancel(reason);
      },
    },
    // No more is read ahead than without a signal.
    { highWaterMark: 0 },
  );
}
