import { DeliveryError } from '../../../delivery/destination.js';
import type { SenderDeps } from '../sender.js';
import { type MqttConnection, type MqttTarget, openMqtt } from './connection.js';
import type { KeptTopics } from './kept-topics.js';

const connectTimeoutMs = 5000;
/** Brokers cut the connection where a client may not publish. */
const maxConnections = 10;

/**
 * Has a broker forget all that it keeps of an output whose connections are ended. Answers whether nothing is left there: the broker
 * may be away, or refuse it.
 * @param clientIds of those connections: what a crashed process has left of them ends, and its last will comes before and not after
 */
export async function clearBroker(
  target: Pick<MqttTarget, 'settings' | 'secrets'>,
  clientIds: readonly string[],
  kept: Pick<KeptTopics, 'all' | 'clear'>,
  deps: SenderDeps,
): Promise<boolean> {
  for (let count = 0; count < maxConnections; count += 1) {
    if ((await kept.all()).size === 0) return true;
    const opened: MqttConnection[] = [];
    try {
      const signal = AbortSignal.timeout(connectTimeoutMs);
      for (const clientId of clientIds) opened.push(await openMqtt({ ...target, clientId }, deps, signal));
    } catch {
      for (const each of opened) await each.end();
      return false;
    }
    try {
      const [to] = opened;
      if (to !== undefined) await kept.clear(to, [...(await kept.all())]);
      return (await kept.all()).size === 0;
    } catch (error) {
      // It was cut: what was cleared before is not noted any more.
      if (!(error instanceof DeliveryError)) throw error;
    } finally {
      for (const each of opened) await each.end();
    }
  }
  return false;
}
