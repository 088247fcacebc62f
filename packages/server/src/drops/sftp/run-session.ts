import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ServerChannel } from 'ssh2';
import type { DropSession } from '../drop-folders.js';
import { createKnownSizes } from '../servers/known-sizes.js';
import { AccessEnded, answerRequest } from './answer-request.js';
import { answersTo } from './file-requests.js';
import { ConnectionEnded, type FlowControl } from './flow-control.js';
import type { ByteBudget } from './held-writes.js';
import { createOpenHandles } from './open-handles.js';
import { BadPacket, readFields } from './packet-fields.js';
import { createPacketReader } from './packet-reader.js';
import { maxPacketBytes, requestTypes } from './protocol.js';
import type { RequestContext } from './request-context.js';
import { parseRequest } from './requests.js';
import { writeVersion } from './responses.js';
import type { SftpService } from './sftp-service.js';

export interface SessionStart {
  /** Of the connection, counted from 1. */
  readonly id: number;
  readonly address: string;
  readonly drop: DropSession;
  readonly channel: ServerChannel;
  readonly flow: FlowControl;
  /** Of the connection. */
  readonly heldBudget: ByteBudget;
}

/** Why a session ended. `refused`: the connection is to end as well. */
type SessionEnd = 'closed' | 'refused';

export interface RunningSession {
  /** Ends the session when no upload is open any more. */
  stop(): void;
  /** Ends the session after the running request. Uploads are cut. */
  abort(why: string): void;
  /** Resolves when the session has ended and released its resources. */
  readonly over: Promise<SessionEnd>;
}

/** Of packets beside the bytes of a file. */
const packetOverheadBytes = 1024;
/** Answers are sent together up to so many bytes, while further requests are here. */
const batchBytes = 32 * 1024;
/** Others are served after this time of requests that need nothing to wait for. */
const sliceMs = 5;

/** Answers requests of one SFTP session, one after the other, until it ends. */
export function runSession(service: SftpService, start: SessionStart): RunningSession {
  const { options, clock, onEvent, diskSpace } = service;
  const { limits } = options;
  const { id, address, drop, channel, flow, heldBudget } = start;
  const { accountId, dropId } = drop;
  const reader = createPacketReader(channel, maxPacketBytes + packetOverheadBytes);
  const unwatch = flow.watch(reader);
  const handles = createOpenHandles(limits.maxHandles);
  const gone = new AbortController();
  let isStopping = false;
  let why = 'the client disconnected';
  const leave = (): void => gone.abort();
  channel.once('close', leave).on('error', leave);

  const context: RequestContext = {
    drop,
    handles,
    knownSizes: createKnownSizes(),
    limits,
    heldBudgets: [heldBudget, service.heldBudget],
    clock,
    diskSpace,
    isStopping: () => isStopping,
    onUploadEnd: (path, kind, sizeBytes, reason) =>
      onEvent({
        kind,
        connection: id,
        accountId,
        dropId,
        path,
        sizeBytes,
        ...(reason !== undefined && { why: reason }),
      }),
  };
  const fail = (error: unknown): void => onEvent({ kind: 'failed', connection: id, error });
  const isDone = (): boolean => gone.signal.aborted || (isStopping && handles.uploads.length === 0);

  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    const batch = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    await flow.send(channel, batch, gone.signal);
  };
  const put = async (answers: readonly Buffer[]): Promise<void> => {
    for (const answer of answers) {
      pending.push(answer);
      pendingBytes += answer.length;
    }
    if (pendingBytes >= batchBytes || !reader.hasNext()) await flush();
  };

  const negotiate = async (): Promise<boolean> => {
    const first = await reader.next(limits.idleTimeoutMs);
    if (first.kind !== 'packet') return false;
    if (readFields(first.bytes).byte() !== requestTypes.init)
      throw new BadPacket('A session begins with INIT.');
    await put([writeVersion()]);
    return true;
  };
  /** Writes that waited too long, whatever else is asked meanwhile. Answers the time that the others have; null: none waits. */
  const failLate = async (): Promise<number | null> => {
    let leftMs: number | null = null;
    const now = performance.now();
    for (const upload of handles.uploads) {
      if (upload.heldSinceMs === null) continue;
      const left = upload.heldSinceMs + limits.gapTimeoutMs - now;
      if (left <= 0) await put(answersTo(upload.failHeld()));
      else leftMs = Math.min(Math.ceil(left), leftMs ?? Number.POSITIVE_INFINITY);
    }
    return leftMs;
  };
  const run = async (): Promise<void> => {
    if (!(await negotiate())) return;
    let sliceEndsAt = performance.now() + sliceMs;
    while (!isDone()) {
      const leftMs = await failLate();
      const next = await reader.next(leftMs ?? limits.idleTimeoutMs);
      if (next.kind === 'end') return;
      if (next.kind === 'packet') await put(await answerRequest(context, parseRequest(next.bytes), fail));
      else if (leftMs === null) {
        why = 'nothing was asked for too long';
        return;
      }
      flow.check();
      if (performance.now() < sliceEndsAt) continue;
      await yieldToEventLoop();
      sliceEndsAt = performance.now() + sliceMs;
    }
  };
  const end = async (): Promise<SessionEnd> => {
    let ended: SessionEnd = 'closed';
    try {
      await run();
      // Of a service that stops, the answer to the last CLOSE.
      await flush();
    } catch (error) {
      ended = 'refused';
      if (error instanceof Error && !gone.signal.aborted) why = error.message;
      if (error instanceof BadPacket) onEvent({ kind: 'protocol-error', connection: id, address, why });
      else if (!(error instanceof AccessEnded || error instanceof ConnectionEnded)) fail(error);
    }
    reader.stop();
    unwatch();
    await handles.closeAll(why).catch(fail);
    flow.check();
    channel.resume();
    if (ended === 'closed') channel.exit(0);
    channel.end();
    return ended;
  };
  return {
    stop() {
      isStopping = true;
      if (handles.uploads.length === 0) reader.stop();
    },
    abort(reason) {
      why = reason;
      gone.abort();
      reader.stop();
    },
    over: end(),
  };
}
