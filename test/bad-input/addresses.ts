import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressTable, codeIn } from '../hostile/address-page.js';
import { startRemoteServer } from '../hostile/remote-server.js';
import { type Code, documented, type Hostilities } from '../hostile/use-guarded-service.js';
import { sample } from '../support/sample.js';

const written = addressTable('By what is written');
const played = addressTable('By what the remote server does');

export function testAddresses(hostilities: () => Hostilities): void {
  describe('an image by its address', () => {
    let closed: Server;
    let visitors = 0;
    beforeAll(async () => {
      closed = createServer((socket) => {
        visitors += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => closed.close());

    /** The address through both generations; answers the calls that count. */
    const ask = async (address: string, outcome: string): Promise<number> => {
      const { v1, v2, expectRefusal } = hostilities();
      const [first, second] = await Promise.all([
        v1('/predict/object_detection/', { url: address, model_id: '102' }),
        v2({ image_file_url: address, model_id: 102 }),
      ]);
      if (outcome === 'fetched') {
        const found = { predictions: [{ class_title: 'stop sign' }] };
        expect([await first.json(), await second.json()], address).toMatchObject([found, found]);
        return 2;
      }
      if (!isCode(outcome)) throw new Error(`${outcome} is no error`);
      await expectRefusal(first, outcome, 1, address);
      await expectRefusal(second, outcome, 2, address);
      return 0;
    };

    test('is refused however a forbidden address is written', { timeout: 300_000 }, async () => {
      const { remote, answered } = hostilities();
      const bound = closed.address();
      const closedHost = `127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
      let calls = 0;
      for (const [cell, outcome] of written) {
        const address = codeIn(cell)
          .replaceAll('CLOSED', closedHost)
          .replaceAll('OPENPORT', remote.host.split(':')[1] ?? '')
          .replaceAll('OPEN', remote.host);
        calls += await ask(address, codeIn(outcome));
      }
      answered(calls);
      expect(visitors).toBe(0);
      expect(written.length).toBeGreaterThan(120);
    });

    test('is refused on the service’s own ports', async () => {
      const { service } = hostilities();
      for (const own of [`${service.url}/livez`, service.metricsUrl]) await ask(own, 'address_not_allowed');
    });

    test.each(played.map(([page, outcome]) => [codeIn(page), codeIn(outcome)] as const))(
      'of a host that does %s is answered as %s',
      async (page, outcome) => {
        const { remote, answered } = hostilities();
        const startedAt = performance.now();
        answered(await ask(remote.address(page), outcome));
        expect(performance.now() - startedAt).toBeLessThan(10_000);
        expect(visitors).toBe(0);
      },
    );

    test('does nothing that the page does not list', () => {
      const outcome = new Set(played.map(([page]) => codeIn(page)));
      const steps = new Set(['/twice-to-image']);
      expect(hostilities().remote.pages.filter((page) => !outcome.has(page) && !steps.has(page))).toEqual([]);
    });

    test('where nobody listens is not reachable', async () => {
      const gone = await startRemoteServer(sample);
      await gone.close();
      await ask(gone.address('/image'), 'address_not_reachable');
    });
  });
}

function isCode(text: string): text is Code {
  return Object.hasOwn(documented, text);
}
