import { randomUUID } from 'node:crypto';
import type { Clock } from '../../core/clock.js';
import { DeliveryError, type DeliveryErrorCode } from '../../delivery/destination.js';
import { explainForOwner } from './create-sender.js';
import { openMqtt } from './mqtt/connection.js';
import { clientIdOf } from './mqtt/mqtt-sender.js';
import type { WholeOutput } from './output-rows.js';
import type { StreamOutputs } from './outputs.js';
import type { SenderDeps } from './sender.js';
import { createWebhookSender } from './webhook-sender.js';

export type OutputVerdict = { readonly durationMs: number } & (
  | { readonly isGood: true; readonly where: string }
  | { readonly isGood: false; readonly problem: DeliveryErrorCode; readonly message: string }
);

/**
 * Sends an event that says that it is a test. That it does not work is an answer. One that is well is tried again at once by whoever
 * sends its events. Throws `not_found`.
 */
export type TestOutput = (accountId: number, id: number, signal: AbortSignal) => Promise<OutputVerdict>;

interface TestOutputDeps extends SenderDeps {
  readonly clock: Clock;
  readonly streamOutputs: Pick<StreamOutputs, 'whole' | 'retryNow'>;
}

export function createTestOutput(deps: TestOutputDeps): TestOutput {
  const { clock, streamOutputs } = deps;

  const send = async (
    whole: WholeOutput & { readonly uid: string },
    signal: AbortSignal,
  ): Promise<string> => {
    const { settings, secrets, uid } = whole;
    const id = `${uid}/test-${randomUUID()}`;
    const message = { id, kind: 'test', at: new Date(clock()).toISOString() };
    if (settings.kind === 'webhook') {
      await createWebhookSender(settings, secrets, deps).post(id, message, signal);
      return settings.url;
    }
    // A name of its own: with that of the output the broker would end the connection that there is.
    const clientId = `${clientIdOf({ uid, settings })}-test`;
    const connection = await openMqtt({ settings, secrets, clientId }, deps, signal);
    try {
      const topic = `${settings.prefix}/test`;
      await connection.publish(topic, JSON.stringify(message));
      return `${settings.url} ${topic}`;
    } finally {
      await connection.end();
    }
  };

  return async (accountId, id, signal) => {
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    let whole: Awaited<ReturnType<StreamOutputs['whole']>> | null = null;
    try {
      whole = await streamOutputs.whole(accountId, id);
      const where = await send(whole, signal);
      await streamOutputs.retryNow(accountId, id);
      return { isGood: true, where, durationMs: durationMs() };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeliveryError)) throw error;
      const { code, message } = whole === null ? error : explainForOwner(error, whole);
      return { isGood: false, problem: code, message, durationMs: durationMs() };
    }
  };
}
