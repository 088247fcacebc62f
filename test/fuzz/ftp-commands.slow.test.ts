import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, startTestFtp, type TestFtp, user } from '#server/drops/ftp/fixtures/test-ftp.js';
import { defaultFtpLimits, type FtpLimits } from '#server/drops/ftp/ftp-options.js';
import { runSession } from '#server/drops/ftp/run-session.js';
import type { FtpEvent } from '#server/drops/ftp/session.js';
import { createConnectionLimiter } from '#server/drops/servers/connection-limiter.js';
import { createIdentifyPeer } from '#server/drops/servers/connection-peer.js';
import { createMemoryFolders, type MemoryFolders } from '#server/drops/servers/fixtures/memory-folders.js';
import { cases, fuzzing } from './cases.js';
import { ftpSteps, takeSteps } from './ftp-steps.js';

/** Without a certificate: no handshake succeeds. */
const context = createSecureContext();

const quick: FtpLimits = {
  ...defaultFtpLimits,
  maxPerAddress: 1000,
  logInThrottle: {
    ...defaultFtpLimits.logInThrottle,
    maxPerAddress: 1_000_000_000,
    firstDelayMs: 0,
    maxDelayMs: 0,
  },
  control: { ...defaultFtpLimits.control, maxLineBytes: 200, handshakeTimeoutMs: 5 },
  dataTimeoutMs: 5,
  stallTimeoutMs: 10,
};

/** Two streams, each of which reads what is written to the other. */
function pair(): readonly [Duplex, Duplex] {
  const make = (other: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write(chunk, _encoding, done) {
        // As a network does: later.
        setImmediate(() => {
          if (!other().destroyed && !other().readableEnded) other().push(chunk);
          done();
        });
      },
      final(done) {
        if (!other().destroyed) other().push(null);
        done();
      },
      destroy(error, done) {
        setImmediate(() => {
          if (!other().destroyed) other().push(null);
        });
        done(error);
      },
    });
  const near: Duplex = make(() => far);
  const far: Duplex = make(() => near);
  return [near, far];
}

/** Everything that a session may never have done, whatever it received. */
function expectUnharmed(folders: MemoryFolders, events: readonly FtpEvent[], wasLoggedIn: boolean): void {
  expect(events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  expect(folders.openUploads).toBe(0);
  if (!wasLoggedIn) expect(folders.asked).toEqual([]);
  for (const path of folders.asked) {
    if (path.length > 0) expect(path[0]).toMatch(/^(incoming|done|failed)$/);
    for (const part of path) {
      expect(['', '.', '..']).not.toContain(part);
      expect(part).not.toMatch(/[/\p{Cc}\p{Cf}]/u);
    }
  }
}

test('in process: an answer each, an end, no folder without a log-in', fuzzing, async () => {
  const codes = new Set<string>();
  let received = 0;
  await fc.assert(
    fc.asyncProperty(ftpSteps, async (steps) => {
      const folders = createMemoryFolders();
      const events: FtpEvent[] = [];
      let wasLoggedIn = false;
      const [near, far] = pair();
      const session = runSession(
        {
          options: {
            host: '127.0.0.1',
            port: 0,
            passivePorts: { first: 0, last: 0 },
            publicAddresses: [],
            proxies: [],
            allowsActive: false,
            requiresTls: false,
            needsCloseNotify: true,
            certificate: null,
            certificateDir: '',
            hostName: '',
            certificateAddresses: [],
            limits: quick,
          },
          logIn: async (credentials) => {
            const isRight = credentials.userName === user && credentials.password === password;
            wasLoggedIn ||= isRight;
            return isRight ? { accountId: 1, dropId: 1, folders, isOpen: async () => true } : null;
          },
          connectionLimiter: createConnectionLimiter({ ...quick, maxPortsPerAccount: 4 }),
          logInThrottle: {
            isKnownBanned: () => false,
            begin: async () => ({
              fail: async () => ({ delayMs: 0, isBanned: false }),
              succeed: async () => undefined,
            }),
          },
          clock: Date.now,
          onEvent: (event) => events.push(event),
          identifyPeer: createIdentifyPeer({
            proxies: [],
            headerTimeoutMs: 5,
            maxWaiting: 1,
            onBadHeader: () => undefined,
          }),
          secureContext: () => context,
        },
        {
          id: 1,
          stream: near,
          peerAddress: '127.0.0.1',
          localAddress: '127.0.0.1',
          reachedAddress: '127.0.0.1',
        },
      );
      for (const reply of await takeSteps(far, steps)) codes.add(reply.slice(0, 3));
      received += events.filter(({ kind }) => kind === 'received').length;
      await session.over;
      expectUnharmed(folders, events, wasLoggedIn);
    }),
    cases(3000),
  );
  // They came far enough to mean something.
  expect([...codes]).toEqual(expect.arrayContaining(['150', '226', '230', '350', '425', '550']));
  expect(received).toBeGreaterThan(100);
});

let ftp: TestFtp;
beforeAll(async () => {
  ftp = await startTestFtp({ limits: quick });
});
afterAll(() => ftp.stop());

test('the same over sockets', fuzzing, async () => {
  await fc.assert(
    fc.asyncProperty(ftpSteps, async (steps) => {
      const before = ftp.events.length;
      const asked = ftp.folders.asked.length;
      const socket = connect({ port: ftp.port, host: '127.0.0.1', noDelay: true });
      await takeSteps(socket, steps);
      socket.destroy();
      const events = ftp.events.slice(before);
      const wasLoggedIn = events.some(({ kind }) => kind === 'logged-in');
      if (!wasLoggedIn) expect(ftp.folders.asked).toHaveLength(asked);
      expectUnharmed(ftp.folders, events, true);
      ftp.folders.asked.length = 0;
    }),
    cases(100),
  );
});
