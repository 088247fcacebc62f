import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { IClientOptions } from 'mqtt';
import { DeliveryError } from '../../../delivery/destination.js';
import { explainFailure, messageOf, quoteRemote } from '../../../delivery/explain-failure.js';
import { identifyByTls, reachHost } from '../../../delivery/remote-host.js';
import { lookUpChecked } from '../../../intake/allowed-host.js';
import type { MqttSettings, OutputSecrets } from '../output-settings.js';
import { type SenderDeps, sendTimeoutMs } from '../sender.js';

export interface MqttTarget {
  readonly settings: Pick<MqttSettings, 'url' | 'username' | 'certificate' | 'certificateUnchecked'>;
  readonly secrets: Pick<OutputSecrets, 'password'>;
  readonly clientId: string;
  /** Said by the broker in the place of this client when the connection is cut. */
  readonly lastWill?: { readonly topic: string; readonly text: string; readonly retain: boolean };
  /** The connection ended by itself. */
  readonly onClosed?: () => void;
}

/** One life of a connection: once it is cut, another is opened. Its methods throw `DeliveryError`. */
export interface MqttConnection {
  readonly isOpen: boolean;
  /** Resolves when the broker has confirmed it (PUBACK). */
  publish(topic: string, content: string | Buffer, how?: { readonly retain?: boolean }): Promise<void>;
  /** Says goodbye, so that the broker leaves the last will unsaid. */
  end(): Promise<void>;
  /** Cuts it. */
  destroy(): void;
}

const keepaliveSeconds = 30;
/** Of what a broker sends between two confirmations, which are what it has to say. */
const maxReceivedBytes = 1024 * 1024;

/** Connects to addresses that were checked. Throws `DeliveryError`. */
export async function openMqtt(
  target: MqttTarget,
  deps: SenderDeps,
  signal: AbortSignal,
): Promise<MqttConnection> {
  // Many services have no broker, and need not load it.
  const { default: mqtt } = await import('mqtt');
  const socket = await openSocket(target.settings, deps, signal);
  let failure: unknown = null;
  let receivedBytes = 0;
  socket.on('error', (error) => {
    failure ??= error;
  });
  socket.on('data', (bytes: Buffer) => {
    receivedBytes += bytes.length;
    if (receivedBytes < maxReceivedBytes) return;
    failure ??= new DeliveryError('refused', 'the broker sends more than it was asked for');
    socket.destroy();
  });
  const client = new mqtt.MqttClient(() => socket, optionsOf(target));
  client.on('error', (error) => {
    failure ??= error;
  });
  let isOpen = false;
  const closed = new Promise<never>((_, reject) => {
    client.once('close', () => {
      const wasOpen = isOpen;
      isOpen = false;
      reject(explainMqtt(failure ?? new DeliveryError('unreachable', 'the broker closed the connection')));
      if (wasOpen) target.onClosed?.();
    });
  });
  closed.catch(() => undefined);
  const destroy = () => {
    client.end(true);
    socket.destroy();
  };
  const whileOpen = <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    return Promise.race([within(work, destroy), closed]);
  };

  const cut = () => destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    await whileOpen(
      new Promise<void>((resolve) => {
        client.once('connect', () => {
          isOpen = true;
          resolve();
        });
      }),
    );
  } catch (error) {
    destroy();
    signal.throwIfAborted();
    throw explainMqtt(error);
  } finally {
    signal.removeEventListener('abort', cut);
  }
  return {
    get isOpen() {
      return isOpen;
    },
    async publish(topic, content, { retain = false } = {}) {
      await whileOpen(client.publishAsync(topic, content, { qos: 1, retain })).catch((error: unknown) => {
        throw explainMqtt(error);
      });
      receivedBytes = 0;
    },
    async end() {
      await whileOpen(client.endAsync()).catch(() => undefined);
      destroy();
    },
    destroy,
  };
}

async function openSocket(
  { url, certificate, certificateUnchecked }: MqttTarget['settings'],
  deps: SenderDeps,
  signal: AbortSignal,
): Promise<Socket> {
  const address = new URL(url);
  const isTls = address.protocol === 'mqtts:';
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const port = Number(address.port) || (isTls ? 8883 : 1883);
  const lookup = lookUpChecked(await reachHost(deps, { host, port, ownPorts: [1883, 8883] }, signal));
  if (!isTls) return connectTcp({ host, port, lookup });
  const identity = identifyByTls(host, certificate ?? undefined);
  return connectTls({
    ...{ host, port, lookup },
    ...identity,
    ...(certificateUnchecked ? { rejectUnauthorized: false } : {}),
  });
}

function optionsOf({ settings, secrets, clientId, lastWill }: MqttTarget): IClientOptions {
  return {
    clientId,
    clean: true,
    // 3.1.1, which every broker speaks.
    protocolVersion: 4,
    keepalive: keepaliveSeconds,
    // Whoever wants to go on connects anew: addresses are checked again, and nothing is queued that is counted as sent.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    connectTimeout: sendTimeoutMs,
    ...(settings.username === null ? {} : { username: settings.username }),
    ...(secrets.password === undefined ? {} : { password: secrets.password }),
    ...(lastWill
      ? {
          will: {
            topic: lastWill.topic,
            payload: Buffer.from(lastWill.text),
            qos: 1 as const,
            retain: lastWill.retain,
          },
        }
      : {}),
  };
}

/** Limits the time of an answer; the connection is cut after it, since nothing that follows could be distinguished. */
async function within<T>(work: Promise<T>, cut: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new DeliveryError('unreachable', `the broker did not answer within ${sendTimeoutMs / 1000} seconds`),
      );
      cut();
    }, sendTimeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Return codes of CONNACK in MQTT 3.1.1, section 3.2.2.3. */
const refusals: Readonly<Record<number, string>> = {
  1: 'the broker does not speak MQTT 3.1.1',
  2: 'the broker refuses the client id; choose another client_id',
  3: 'the broker is not available now',
  4: 'the broker refuses user name or password',
  5: 'the broker does not let this client in; check user name, password and client_id',
};

function explainMqtt(error: unknown): DeliveryError {
  // An `ErrorWithReasonCode` of the library; those of Node have words as codes.
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number'))
    return explainFailure(error);
  const text = refusals[error.code] ?? `the broker refuses: ${quoteRemote(messageOf(error))}`;
  return new DeliveryError(error.code === 3 ? 'unreachable' : 'credentials', text);
}
