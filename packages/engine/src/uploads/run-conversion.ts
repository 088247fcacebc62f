import { fork } from 'node:child_process';
import { parentArguments } from '../runtime/end-with-parent.js';
import { processEnvironment } from '../runtime/environment.js';
import { watchMemory } from '../runtime/watch-memory.js';
import type { ConvertReply, ConvertUpload } from './process/messages.js';
import { UploadRefused } from './upload-refused.js';

const entry = new URL('./process/main.js', import.meta.url);
const memoryPollMs = 50;
/** Of the file's reading in JavaScript; what the runtime takes lies outside it. */
const heapShare = 0.5;

/** Runs the throw-away process: resolves when the model is written, rejects with what to mend. */
export function runConversion(request: ConvertUpload, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { maxRssBytes, timeoutMs } = request.limits;
  return new Promise((resolve, reject) => {
    const heapMb = Math.max(128, Math.floor((maxRssBytes * heapShare) / 2 ** 20));
    const child = fork(entry, parentArguments(), {
      execArgv: [`--max-old-space-size=${heapMb}`],
      env: processEnvironment(process.env),
      // What the runtime or V8 prints of a stranger's file belongs in nobody's log.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A folder in which a relative path of the file leads nowhere.
      cwd: request.outDir,
    });
    let reply: ConvertReply | undefined;
    let ended: string | undefined;
    const end = (reason: string) => {
      ended ??= reason;
      child.kill('SIGKILL');
    };
    const tooSlow = `the model took longer than ${timeoutMs / 1000} s to read and try; a smaller one is needed`;
    const tooLarge = `the model took more than ${Math.round(maxRssBytes / 2 ** 20)} MiB of memory to read and try; a smaller one is needed`;
    const timer = setTimeout(() => end(tooSlow), timeoutMs);
    const stopWatching = watchMemory(child.pid, { maxRssBytes, everyMs: memoryPollMs }, () => end(tooLarge));
    const abort = () => end('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    child.once('message', (message: ConvertReply) => {
      reply = message;
    });
    child.once('error', (error) => {
      // A process that could not be started has no exit.
      if (child.pid === undefined) settle(`it cannot be read here: ${error.message}`);
    });
    child.once('exit', (code, killedBy) => {
      // V8 ends a process that outgrows its heap with SIGABRT or SIGTRAP.
      const outgrown = killedBy === 'SIGABRT' || killedBy === 'SIGTRAP' || code === 134;
      settle(
        outgrown ? tooLarge : `the model ended the process that tried it (${killedBy ?? `code ${code}`})`,
      );
    });
    const settle = (cause: string) => {
      clearTimeout(timer);
      stopWatching();
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(signal.reason);
      else if (ended !== undefined) reject(new UploadRefused(ended));
      else if (reply === undefined) reject(new UploadRefused(`${cause}; export it again, or simplify it`));
      else if (reply.ok) resolve();
      else reject(new UploadRefused(reply.refused));
    };
    child.send(request, () => {});
  });
}
