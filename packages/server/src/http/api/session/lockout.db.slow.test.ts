import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  // With the clock of the machine: what is tried is who waits how long.
  service = await startTestService({ trustedProxies: '127.0.0.1' });
});
afterAll(() => service.stop());

let addresses = 0;
const signIn = (email: string, password: string, browser = openBrowser(service)) => {
  addresses += 1;
  return browser.call('/api/session', {
    method: 'POST',
    body: { email, password },
    headers: { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` },
  });
};

/** Two who ask as fast as they are answered, from another address each time, until it is over. */
async function whilePolled(email: string, work: () => Promise<void>): Promise<{ readonly refused: number }> {
  let [answered, isOver, refused] = [0, false, 0];
  const poll = async () => {
    while (!isOver) {
      const { status } = await signIn(email, 'wrong');
      answered += 1;
      if (status !== 429) continue;
      refused += 1;
      await sleep(20);
    }
  };
  const pollers = [poll(), poll()];
  try {
    // Until nobody is let by any more who was not before.
    while (answered < 20) await sleep(20);
    await work();
  } finally {
    isOver = true;
    await Promise.all(pollers);
  }
  return { refused };
}

describe('two who take every turn to sign in as one user, from ever new addresses', () => {
  test('keep no known browser waiting', async () => {
    const email = 'known@example.com';
    const browser = await enterAs(service, service.accountId, 'member', email);
    await browser.call('/api/session', { method: 'DELETE' });
    await whilePolled(email, async () => {
      for (let time = 0; time < 10; time += 1) {
        expect((await signIn(email, goodPassword, browser)).status).toBe(201);
        await browser.call('/api/session', { method: 'DELETE' });
      }
    });
  }, 300_000);

  test('keep nobody else out either: each has a turn in the order of their coming', async () => {
    const email = 'unknown@example.com';
    await enterAs(service, service.accountId, 'member', email);
    await whilePolled(email, async () => {
      let status = 0;
      for (let tried = 0; tried < 40 && status !== 201; tried += 1) {
        if (tried > 0) await sleep(1000);
        ({ status } = await signIn(email, goodPassword));
      }
      expect(status).toBe(201);
    });
  }, 300_000);
});
