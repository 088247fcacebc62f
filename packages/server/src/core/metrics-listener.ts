import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Component } from './lifecycle.js';
import type { Metrics } from './metrics.js';

interface MetricsListener extends Component {
  /** The port in use; 0 before it listens. */
  readonly port: number;
}

/** Where metrics are served. */
interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves `/metrics` at a port of its own, by default of this machine alone: numbers about customers' calls are not for the network. */
export function createMetricsListener(metrics: Metrics, { host, port }: MetricsAddress): MetricsListener {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end('Metrics are at /metrics.\n');
      return;
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  let bound = 0;
  return {
    name: 'metrics',
    get port() {
      return bound;
    },
    async start() {
      metrics.watchProcess();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          bound = (server.address() as AddressInfo).port;
          server.off('error', reject);
          resolve();
        });
      });
    },
    isReady: () => true,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
