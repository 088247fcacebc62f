import { getPriority, setPriority } from 'node:os';
import { Compile } from 'typebox/compile';
import { endWithParent } from '../../child-process/end-with-parent.js';
import { EngineError } from '../../errors.js';
import { confineSharp } from '../../image/confine-sharp.js';
import type { Int8Arithmetic } from '../int8/int8-arithmetic.js';
import { probeInt8Arithmetic } from '../int8/probe-int8.js';
import { Command, type Job, type JobResult, type ProcessState, type Report } from '../messages.js';
import { type AnalyseContext, analyse, type TaskTable } from './analyse.js';
import { ModelCache } from './model-cache.js';
import { openModel } from './open-model.js';
import { type Conversation, converse } from './sharing.js';
import { unpackJson } from './unpack-json.js';

type Settings = Command & { type: 'settings' };
type JobCommand = Command & { type: 'job' };

/**
 * Main loop of an inference process: settings, warm-up, then one job at a time until the service exits. To be
 * called by an entry module, once.
 */
export function serveJobs(tasks: TaskTable): void {
  endWithParent();
  const validator = Compile(Command);
  const residentBytes = sampled(rssSampleMs, () => process.memoryUsage.rss());
  const stateOf = ({ models, int8 }: Prepared): ProcessState => ({
    models: models.keys(),
    rssBytes: residentBytes(),
    cpuMs: processorMs(),
    int8,
  });
  const running = new Map<number, { readonly abort: AbortController; readonly conversation: Conversation }>();
  let prepared: Prepared | undefined;

  process.on('message', (message) => {
    if (!validator.Check(message)) {
      refuse(message);
    } else if (message.type === 'settings') {
      void prepare(message).then((found) => {
        prepared = found;
        send({ type: 'ready', state: stateOf(found) });
      });
    } else if (message.type === 'abort') {
      running.get(message.id)?.abort.abort();
    } else if (message.type === 'job') {
      if (prepared) void answer(message, prepared);
    } else {
      running.get(message.id)?.conversation.hear(message);
    }
  });

  function refuse(message: unknown): void {
    const error = { code: 'internal', message: 'the job has a form that the engine does not know' } as const;
    send({ type: 'note', about: 'fault', detail: error.message });
    const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
    if (typeof id === 'number' && prepared) send({ type: 'failed', id, error, state: stateOf(prepared) });
  }

  async function answer({ id, job, mayShare }: JobCommand, ready: Prepared): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    const conversation = converse(id, send, signal);
    running.set(id, { abort, conversation });
    const whileDecoding: AnalyseContext['whileDecoding'] = async (work) => {
      const begin = (slowPixels: number) => send({ type: 'decoding', id, isDecoding: true, slowPixels });
      begin(0);
      try {
        return await work(begin);
      } finally {
        send({ type: 'decoding', id, isDecoding: false, slowPixels: 0 });
      }
    };
    try {
      const sharing = mayShare ? { sharing: conversation } : {};
      const context = { tasks, models: ready.models, signal, whileDecoding, ...sharing };
      const result = await perform(job as Job, context);
      send({ type: 'done', id, result, state: stateOf(ready) });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'internal') {
        if (!abort.signal.aborted) send({ type: 'note', about: 'fault', detail: describe(error) });
      }
      send({ type: 'failed', id, error: publicError(error, abort.signal), state: stateOf(ready) });
    } finally {
      running.delete(id);
    }
  }
}

function perform(job: Job, context: AnalyseContext): Promise<JobResult> {
  return job.kind === 'analyse' ? analyse(job, context) : unpackJson(job);
}

/** A reading takes a tenth of a millisecond; memory does not grow fast enough to need it more often. */
const rssSampleMs = 200;

function sampled<T>(everyMs: number, read: () => T): () => T {
  let value = read();
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt >= everyMs) {
      value = read();
      readAt = performance.now();
    }
    return value;
  };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Shared by all jobs of the process. */
interface Prepared {
  readonly models: ModelCache;
  readonly int8: Int8Arithmetic;
}

async function prepare({ niceness, warm, ...settings }: Settings): Promise<Prepared> {
  // Not earlier, so that the process starts at once on a busy machine; not later, because on Linux each helper thread
  // inherits the priority of the thread that starts it.
  try {
    // Never above what the operator gave the service.
    setPriority(Math.max(niceness, getPriority()));
  } catch {
    // Not allowed everywhere; then it has the priority of its parent.
  }
  confineSharp();
  const int8 = await probeInt8Arithmetic();
  const models = new ModelCache({
    maxModels: settings.maxModels,
    maxBytes: settings.maxModelBytes,
    open: (ref) => openModel(ref, settings.executionProvider, int8),
  });
  for (const ref of warm) {
    // A model that cannot be loaded fails the jobs that need it, not the process.
    await models.load(ref, new Set()).catch((error: unknown) => {
      send({ type: 'note', about: 'warm-up', detail: describe(error) });
    });
  }
  return { models, int8 };
}

function publicError(error: unknown, signal: AbortSignal): { code: EngineError['code']; message: string } {
  if (signal.aborted) return { code: 'aborted', message: 'the caller gave up' };
  if (error instanceof EngineError) return { code: error.code, message: error.message };
  return { code: 'internal', message: 'a fault of the engine; the log has its details' };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? error.message;
  return error.cause === undefined ? stack : `${stack}\ncaused by ${describe(error.cause)}`;
}

function send(report: Report): void {
  // The callback ignores the error of a channel that closes meanwhile; 'disconnect' handles that.
  if (process.connected) process.send?.(report, undefined, undefined, () => {});
}
