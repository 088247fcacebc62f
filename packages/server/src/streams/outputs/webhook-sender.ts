import type { Clock } from '../../core/clock.js';
import { openClient } from '../../core/open-client.js';
import { withinLimits } from '../../delivery/delivery-limits.js';
import { explainFailure } from '../../delivery/explain-failure.js';
import { explainRefusal, readBeginning } from '../../delivery/http-answer.js';
import { identifyByTls, reachHost } from '../../delivery/remote-host.js';
import { lookUpChecked } from '../../intake/allowed-host.js';
import { eventId, toMessage } from './event-message.js';
import type { OutputSecrets, WebhookSettings } from './output-settings.js';
import { type Sender, type SenderDeps, sendTimeoutMs } from './sender.js';
import { signWebhook } from './sign-webhook.js';

interface WebhookDeps extends SenderDeps {
  /** Of the signature. */
  readonly clock: Clock;
}

export interface Webhook extends Sender {
  /** Posts any JSON as an event is posted. */
  post(id: string, content: unknown, signal: AbortSignal): Promise<void>;
}

/** One POST an event, signed. Each connects anew, to addresses that were checked for it. */
export function createWebhookSender(
  settings: WebhookSettings,
  secrets: OutputSecrets,
  deps: WebhookDeps,
): Webhook {
  const address = new URL(settings.url);
  const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const tls = {
    ...identifyByTls(host, settings.certificate ?? undefined),
    ...(settings.certificateUnchecked ? { rejectUnauthorized: false } : {}),
  };
  const path = secrets.query === undefined ? address.pathname : `${address.pathname}?${secrets.query}`;

  const postWithin = async (id: string, body: string, signal: AbortSignal): Promise<void> => {
    const ips = await reachHost(deps, { host, port, ownPorts: [80, 443] }, signal);
    const client = openClient(address.origin, {
      headersTimeout: sendTimeoutMs,
      bodyTimeout: sendTimeoutMs,
      pipelining: 0,
      connect: { ...tls, timeout: sendTimeoutMs, lookup: lookUpChecked(ips) },
    });
    try {
      const answer = await client.request({
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Lynceus (stream events)',
          'lynceus-event-id': id,
          ...(secrets.signingKey === undefined
            ? {}
            : {
                'lynceus-signature': signWebhook(secrets.signingKey, body, Math.floor(deps.clock() / 1000)),
              }),
          ...(secrets.token === undefined ? {} : { authorization: `Bearer ${secrets.token}` }),
        },
        body,
        signal,
      });
      answer.body.on('error', () => undefined);
      if (answer.statusCode >= 200 && answer.statusCode < 300) return;
      throw explainRefusal(answer.statusCode, await readBeginning(answer.body));
    } finally {
      client.destroy().catch(() => undefined);
    }
  };
  const post = async (id: string, content: unknown, signal: AbortSignal): Promise<void> => {
    try {
      await withinLimits(signal, sendTimeoutMs, (within) => postWithin(id, JSON.stringify(content), within));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw explainFailure(error);
    }
  };

  return {
    tendEveryMs: null,
    tend: async () => undefined,
    post,
    send: (event, signal) => post(eventId(event), toMessage(event), signal),
    close: async () => undefined,
    retire: async () => true,
  };
}
