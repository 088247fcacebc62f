import type { Duplex } from 'node:stream';
import { runCommand } from '../commands/run-command.js';
import { openControlChannel } from '../control/control-channel.js';
import { type Reply, reply } from '../control/reply.js';
import { type FtpService, type FtpSession, forgetLogIn, startState } from './session.js';
import { accessEnded, watchAccess } from './watch-access.js';

export interface SessionStart {
  readonly id: number;
  readonly stream: Duplex;
  readonly peerAddress: string;
  readonly localAddress: string;
}

export interface RunningSession {
  /** Ends it after the command that is under way, with these words. */
  stop(words: Reply): void;
  /** Cuts the transfer that is under way. */
  abortSession(): void;
  /** Resolves when it is over and holds nothing any more. */
  readonly over: Promise<void>;
}

/** Greets, and carries out one command after the other until the end. */
export function runSession(service: FtpService, start: SessionStart): RunningSession {
  const { control: controlLimits, logInTimeoutMs, idleTimeoutMs } = service.options.limits;
  const control = openControlChannel(start.stream, controlLimits);
  const { id, peerAddress, localAddress } = start;
  const sessionAbort = new AbortController();
  const state = startState();
  const session: FtpSession = {
    id,
    service,
    control,
    peerAddress,
    localAddress,
    sessionAbort: sessionAbort.signal,
    state,
  };
  const logInTimer = setTimeout(() => {
    if (state.logIn.at !== 'in') control.stop(reply(421, 'The log-in took too long.'));
  }, logInTimeoutMs);

  const stopWatching = watchAccess(session, service.options.limits.accessCheckMs, () => {
    control.stop(accessEnded);
    sessionAbort.abort();
  });

  const run = async (): Promise<void> => {
    await control.say(reply(220, 'Lynceus drop: images in, keywords written, sent on.'));
    while (!state.isOver) {
      const next = await control.nextLine(idleTimeoutMs);
      if (next.kind === 'closed') return;
      if (next.kind === 'stopped') return control.say(next.words);
      if (next.kind === 'idle') return control.say(reply(421, 'Nothing was asked for too long.'));
      const words = await runCommand(session, next);
      if (words) await control.say(words);
    }
  };
  const over = run().finally(() => {
    clearTimeout(logInTimer);
    stopWatching();
    forgetLogIn(session);
    control.close();
  });
  return { stop: (words) => control.stop(words), abortSession: () => sessionAbort.abort(), over };
}
