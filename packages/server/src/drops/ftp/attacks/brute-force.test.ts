import { describe, expect, test } from 'vitest';
import { connected, loggedIn, started } from '../fixtures/attacked.js';
import { connectRaw, type RawClient } from '../fixtures/raw-client.js';
import { defaultFtpLimits } from '../ftp-options.js';

const logInThrottle = { ...defaultFtpLimits.logInThrottle, firstDelayMs: 1, maxDelayMs: 20 };

describe('guessing keys', () => {
  test('each failed log-in is answered later, the third ends the connection, many ban the address', async () => {
    const ftp = await started({
      limits: { logInThrottle: { ...logInThrottle, maxPerAddress: 5, firstDelayMs: 20, maxDelayMs: 1000 } },
    });
    const waits: number[] = [];
    const attempt = async (client: RawClient) => {
      const begun = performance.now();
      await client.ask('USER camera');
      const said = await client.ask('PASS wrong');
      waits.push(performance.now() - begun);
      return said.slice(0, 3);
    };
    const first = await connected(ftp);
    expect([await attempt(first), await attempt(first), await attempt(first), await first.hear()]).toEqual([
      '530',
      '530',
      '421',
      '',
    ]);
    expect(waits[0]).toBeGreaterThan(18);
    expect(waits[2]).toBeGreaterThan(78);
    const second = await connected(ftp);
    const waiting = await connected(ftp);
    expect([await attempt(second), await attempt(second)]).toEqual(['530', '421']);
    // Open connections of the address are refused as well, even with the correct key.
    await waiting.ask('USER camera');
    expect(await waiting.ask('PASS a-key-of-the-drop')).toMatch(/^421 /);
    const third = await connectRaw(ftp.port, { isGreeted: false });
    expect(await third.hear()).toMatch(/^421 .*wrong log-ins/);
    // Another address is admitted.
    await loggedIn(ftp, { from: '127.0.0.2' });
    expect(ftp.events.filter(({ kind }) => kind === 'log-in-refused')).toHaveLength(5);
    expect(JSON.stringify(ftp.events)).not.toMatch(/wrong"|camera|a-key/);
  });

  test('the replies do not reveal whether a user exists', async () => {
    const ftp = await started({ limits: { logInThrottle } });
    const client = await connected(ftp);
    const [known, unknown] = [await client.ask('USER camera'), await client.ask('USER nobody')];
    expect(known).toBe(unknown);
    const said = await client.ask('PASS x');
    await client.ask('USER camera');
    expect(await client.ask('PASS x')).toBe(said);
  });
});
