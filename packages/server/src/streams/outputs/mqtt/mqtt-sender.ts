import { setTimeout as sleep } from 'node:timers/promises';
import type { Compilable } from 'kysely';
import { batchesOf } from '../../../core/batches-of.js';
import type { Logger } from '../../../core/logger.js';
import type { Database } from '../../../storage/database.js';
import type { Media } from '../../media.js';
import { toMessage } from '../event-message.js';
import { createFrigateEvents } from '../frigate/frigate-events.js';
import { toFrigateStats } from '../frigate/frigate-stats.js';
import type { MqttSettings, OutputSecrets } from '../output-settings.js';
import { type Camera, readCameras } from '../read-cameras.js';
import type { OutgoingEvent } from '../read-events.js';
import type { Sender, SenderDeps } from '../sender.js';
import { clearBroker } from './clear-broker.js';
import { type MqttConnection, openMqtt } from './connection.js';
import { createImageTopics } from './image-topics.js';
import { createKeptTopics } from './kept-topics.js';
import { createPublishedCameras } from './published-cameras.js';
import { retainedTopics } from './retained-topics.js';
import { settleAll } from './settle-all.js';

interface MqttDeps extends SenderDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly media: Pick<Media, 'read'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** The connection was cut: it is time to tend. */
  readonly onClosed: () => void;
}

/** What an output is at a broker. */
export interface MqttOutput {
  readonly accountId: number;
  readonly id: number;
  readonly uid: string;
  readonly settings: MqttSettings;
  readonly secrets: OutputSecrets;
  /** Of the lease on it. */
  readonly fence: readonly Compilable[];
}

/** Between two looks at streams and tracks. */
const tendEveryMs = 2000;
/** As Frigate does, unless it is configured otherwise. */
const statsEveryMs = 60_000;
const minBetweenConnectionsMs = 1000;
/** A broker that does not answer says the last will itself. */
const closeMs = 2000;

/** The name by which a broker knows an output: the same at each replica, so that one that takes over ends what is left of the other. */
export function clientIdOf({ uid, settings }: Pick<MqttOutput, 'uid' | 'settings'>): string {
  return settings.clientId ?? `lynceus-${uid}`;
}

/** One name for one broker, however its address is spelt. */
function brokerOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname.toLowerCase()}:${port || (protocol === 'mqtts:' ? 8883 : 1883)}`;
}

/** Publishes the events of one output, and keeps what the broker keeps for others up to date. */
export function createMqttSender(output: MqttOutput, deps: MqttDeps): Sender {
  const { accountId, uid, settings } = output;
  const { prefix, frigatePrefix } = settings;
  const frigateEvents = createFrigateEvents(deps.database);
  const publishedCameras = createPublishedCameras(deps.database, accountId, settings);
  const kept = createKeptTopics(
    { ...deps, fence: output.fence },
    { ...output, broker: brokerOf(settings.url) },
  );
  const images = createImageTopics({ ...deps, kept, accountId, settings });
  const startedAtMs = performance.now();
  /** What was published at the topics of states, on this connection. */
  const published = new Map<string, string>();
  let connections: readonly MqttConnection[] = [];
  let cameras: readonly Camera[] = [];
  let statsAtMs = Number.NEGATIVE_INFINITY;
  let connectedAtMs = Number.NEGATIVE_INFINITY;

  const connection = (): MqttConnection | null =>
    connections.every(({ isOpen }) => isOpen) ? (connections[0] ?? null) : null;

  /** Frigate's topic has a last will of its own, of which a connection has one. */
  const wills = [
    { topic: `${prefix}/available`, clientId: clientIdOf(output) },
    ...(settings.frigate && frigatePrefix !== prefix
      ? [{ topic: `${frigatePrefix}/available`, clientId: `${clientIdOf(output)}-frigate` }]
      : []),
  ];

  const destroyAll = () => {
    for (const each of connections) each.destroy();
    connections = [];
  };

  const sayOnline = async (to: MqttConnection, topic: string) => {
    // What is heard last there is to be the new state.
    if (!settings.retain && (await kept.all()).has(topic)) await kept.clear(to, [topic]);
    await to.publish(topic, 'online', { retain: settings.retain });
  };

  const connectAll = async (signal: AbortSignal): Promise<MqttConnection> => {
    destroyAll();
    // Another client with this client id is let in by the broker in the place of this one, and comes back at once.
    const pauseMs = connectedAtMs + minBetweenConnectionsMs - performance.now();
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
    connectedAtMs = performance.now();
    published.clear();
    images.forget();
    if (settings.retain) await kept.add(wills.map(({ topic }) => topic));
    const opened: MqttConnection[] = [];
    try {
      for (const { topic, clientId } of wills) {
        const lastWill = { topic, text: 'offline', retain: settings.retain };
        const each = await openMqtt({ ...output, clientId, lastWill, onClosed: deps.onClosed }, deps, signal);
        opened.push(each);
        await sayOnline(each, topic);
      }
    } catch (error) {
      for (const each of opened) each.destroy();
      throw error;
    }
    connections = opened;
    const [first] = connections;
    if (first === undefined) throw new TypeError('an output has a connection');
    return first;
  };

  const retains = (topic: string) => settings.retain || topic.startsWith(`${settings.discoveryPrefix}/`);

  const sync = async (to: MqttConnection) => {
    const shown = await publishedCameras.read();
    cameras = shown.all;
    const wanted = retainedTopics(settings, uid, shown.published);
    const mayHaveImage = images.topicsOf(shown.published);
    // First: what is published next at a topic that is not kept any more is to stay the last that is heard there.
    await clearAllBut(to, (topic) => retains(topic) && (wanted.has(topic) || mayHaveImage.has(topic)));
    for (const topic of published.keys()) if (!wanted.has(topic)) published.delete(topic);
    const changed = [...wanted].filter(([topic, text]) => published.get(topic) !== text);
    await kept.add(changed.map(([topic]) => topic).filter(retains));
    for await (const batch of batchesOf(changed, batchSize)) {
      await settleAll(
        batch.map(async ([topic, text]) => {
          await to.publish(topic, text, { retain: retains(topic) });
          published.set(topic, text);
        }),
      );
    }
    const haveImage = await images.keep(to, shown.published);
    await clearAllBut(to, (topic) => wanted.has(topic) || haveImage.has(topic));
  };

  const publishStats = async (to: MqttConnection) => {
    if (!settings.frigate || performance.now() - statsAtMs < statsEveryMs) return;
    const uptimeSeconds = (performance.now() - startedAtMs) / 1000;
    await to.publish(`${frigatePrefix}/stats`, JSON.stringify(toFrigateStats(cameras, uptimeSeconds)));
    statsAtMs = performance.now();
  };

  /** An empty message has the broker forget the one that it keeps. */
  const clearAllBut = async (to: MqttConnection, isWanted: (topic: string) => boolean) => {
    const isWill = (topic: string) => settings.retain && wills.some((will) => will.topic === topic);
    const over = [...(await kept.all())].filter((topic) => !isWanted(topic) && !isWill(topic));
    for (const topic of over) published.delete(topic);
    await kept.clear(to, over);
  };

  const sayGoodbye = async () => {
    for (const [index, each] of connections.entries()) {
      const topic = wills[index]?.topic;
      if (topic !== undefined && each.isOpen)
        await each.publish(topic, 'offline', { retain: settings.retain }).catch(() => undefined);
      await each.end();
    }
  };

  return {
    tendEveryMs,

    async tend(signal) {
      const to = connection() ?? (await connectAll(signal));
      await sync(to);
      await publishStats(to);
    },

    async send(event, signal) {
      const to = connection() ?? (await connectAll(signal));
      const name = await nameOf(event);
      if (name === null) return;
      // Before anything is published: a message whose failure nobody awaits yet would end the service.
      const frigate = settings.frigate ? await frigateEvents.messageOf(event, name) : null;
      const messages = [to.publish(`${prefix}/${name}/events`, JSON.stringify(toMessage(event)))];
      if (frigate !== null) messages.push(to.publish(`${frigatePrefix}/events`, JSON.stringify(frigate)));
      await settleAll(messages);
      publishedCameras.see(event);
      await images.publish(to, event, name);
    },

    async close() {
      await Promise.race([sayGoodbye(), sleep(closeMs, undefined, { ref: false })]);
      destroyAll();
    },

    async retire() {
      // Without a goodbye, and so that the broker leaves the last wills unsaid: nothing of it is to be heard any more.
      for (const each of connections) await each.end();
      destroyAll();
      const clientIds = wills.map(({ clientId }) => clientId);
      return clearBroker(output, clientIds, kept, deps);
    },
  };

  /** Null: the stream was deleted meanwhile. */
  async function nameOf({ streamId }: OutgoingEvent): Promise<string | null> {
    const find = () => cameras.find(({ id }) => id === streamId)?.camera;
    const known = find();
    if (known !== undefined) return known;
    cameras = await readCameras(deps.database, accountId);
    return find() ?? null;
  }
}

/** Messages at once: at a broker that is far away one at a time would take a minute. */
const batchSize = 50;
