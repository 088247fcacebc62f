import { ChildHost, type ReachedLimit } from '../child-process/child-host.js';
import type { ConvertReply, ConvertUpload } from './process/messages.js';
import { UploadRefused } from './upload-refused.js';

/** Of the memory limit, for JavaScript; the runtime's memory lies outside the heap. */
const heapShare = 0.5;

/** Converts an upload in a process of its own. Rejects with what to fix, or with the signal's reason. */
export async function runConversion(request: ConvertUpload, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { maxRssBytes, timeoutMs } = request.limits;
  const heapMb = Math.max(128, Math.floor((maxRssBytes * heapShare) / 2 ** 20));
  let reply: ConvertReply | undefined;
  let reached: ReachedLimit | undefined;
  const child = new ChildHost({
    entry: new URL('./process/main.js', import.meta.url),
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'json',
    // What the runtime or V8 prints about an untrusted file does not belong in the log.
    output: 'ignore',
    // A folder in which a relative path of the file leads nowhere.
    cwd: request.outDir,
    niceness: 10,
    oomScoreAdj: 1000,
    onMessage: (message) => {
      reply = message as ConvertReply;
    },
  });
  child.watch({ maxRssBytes, timeoutMs, signal }, (by) => {
    reached = by;
  });
  child.send(request);
  const { cause, wasStarted, wasAborted } = await child.exited;
  signal?.throwIfAborted();
  const tooLarge = `the model took more than ${Math.round(maxRssBytes / 2 ** 20)} MiB of memory to read and try; a smaller one is needed`;
  if (reached?.limit === 'memory') throw new UploadRefused(tooLarge);
  if (reached?.limit === 'time')
    throw new UploadRefused(
      `the model took longer than ${timeoutMs / 1000} s to read and try; a smaller one is needed`,
    );
  if (reply?.ok) return;
  if (reply) throw new UploadRefused(reply.refused);
  const failure = wasStarted
    ? `the model ended the process that tried it (${cause})`
    : `it cannot be read here: ${cause}`;
  throw new UploadRefused(`${wasAborted ? tooLarge : failure}; export it again, or simplify it`);
}
