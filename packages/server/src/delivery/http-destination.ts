import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { openClient } from '../core/open-client.js';
import { lookUpChecked } from '../intake/allowed-host.js';
import { withinLimits } from './delivery-limits.js';
import {
  type Delivered,
  DeliveryError,
  type DeliveryLimits,
  type Destination,
  type DestinationDeps,
} from './destination.js';
import type { DestinationSecrets, HttpSettings } from './destination-settings.js';
import { explainFailure } from './explain-failure.js';
import { explainRefusal, readBeginning } from './http-answer.js';
import { encodeMultipart, type FormPart } from './multipart.js';
import { makeTestFile, outgoingFilesOf } from './outgoing-file.js';
import { identifyByTls, reachHost } from './remote-host.js';
import { checkNames } from './remote-names.js';

/** One POST a delivery. The delivery's id is the `Idempotency-Key`, by which the receiver recognises a repetition. */
export function createHttpDestination(
  settings: HttpSettings,
  secrets: DestinationSecrets,
  limits: DeliveryLimits,
  deps: DestinationDeps,
): Destination {
  const address = new URL(settings.address);
  const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const tls = identifyByTls(host, settings.certificate);
  const authorization = authorizationOf(settings, secrets);
  const path = secrets.query === undefined ? address.pathname : `${address.pathname}?${secrets.query}`;

  const post = async (id: string, parts: readonly FormPart[], signal: AbortSignal): Promise<Delivered> => {
    const ips = await reachHost(deps, { host, port, ownPorts: [80, 443] }, signal);
    const body = encodeMultipart(parts);
    const content = Readable.from(body.write(signal), { objectMode: false });
    // The file may have changed; undici then reports only an aborted request.
    let readingError: unknown = null;
    content.on('error', (error) => {
      readingError = error;
    });
    const client = openClient(address.origin, {
      headersTimeout: limits.stallTimeoutMs,
      bodyTimeout: limits.stallTimeoutMs,
      pipelining: 0,
      connect: { ...tls, timeout: limits.connectTimeoutMs, lookup: lookUpChecked(ips) },
    });
    try {
      const answer = await client.request({
        method: 'POST',
        path,
        headers: {
          'content-type': body.contentType,
          'content-length': String(body.sizeBytes),
          'idempotency-key': id,
          'user-agent': 'Lynceus (photo delivery)',
          ...authorization,
        },
        body: content,
        signal,
      });
      answer.body.on('error', () => undefined);
      if (answer.statusCode >= 200 && answer.statusCode < 300)
        return { where: `${address.origin}${address.pathname}` };
      throw explainRefusal(answer.statusCode, await readBeginning(answer.body));
    } catch (error) {
      throw explainFailure(readingError instanceof DeliveryError ? readingError : error);
    } finally {
      content.destroy();
      client.destroy().catch(() => undefined);
    }
  };

  return {
    deliver: (delivery, signal) =>
      withinLimits(signal, limits.wholeTimeoutMs, (within) => {
        checkNames([...delivery.folders, ...delivery.files.map(({ name }) => name)]);
        const files = outgoingFilesOf(delivery);
        const image = files.at(-1);
        return post(
          delivery.id,
          [
            { name: 'labels', text: JSON.stringify(delivery.labels ?? null), mediaType: 'application/json' },
            { name: 'path', text: [...delivery.folders, image?.name ?? ''].join('/') },
            ...files.map((file) => ({ name: file === image ? 'file' : 'sidecar', file })),
          ],
          within,
        );
      }),
    test: (signal) =>
      withinLimits(signal, limits.wholeTimeoutMs, (within) => {
        const id = randomUUID();
        return post(
          id,
          [
            { name: 'test', text: 'true' },
            { name: 'file', file: makeTestFile(id) },
          ],
          within,
        );
      }),
  };
}

function authorizationOf(
  settings: HttpSettings,
  secrets: DestinationSecrets,
): Readonly<Record<string, string>> {
  const { token, password, headerValue } = secrets;
  if ((settings.user === undefined) !== (password === undefined)) {
    throw new DeliveryError('settings', 'user and the secret password belong together');
  }
  if ((settings.headerName === undefined) !== (headerValue === undefined)) {
    throw new DeliveryError('settings', 'header_name and the secret header_value belong together');
  }
  if (token !== undefined && password !== undefined) {
    throw new DeliveryError(
      'settings',
      'give either the secret token or user and password: both are sent as Authorization',
    );
  }
  const name = settings.headerName?.toLowerCase();
  if (
    name !== undefined &&
    /^(host|content-.*|transfer-encoding|connection|expect|idempotency-key|upgrade|te|trailer|keep-alive)$/.test(
      name,
    )
  ) {
    throw new DeliveryError(
      'settings',
      `header_name cannot be ${settings.headerName}, which this service sets itself`,
    );
  }
  const basic = Buffer.from(`${settings.user}:${password}`).toString('base64');
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(password === undefined ? {} : { authorization: `Basic ${basic}` }),
    ...(name === undefined || headerValue === undefined ? {} : { [name]: headerValue }),
  };
}
