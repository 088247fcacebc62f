import { test } from 'vitest';
import { killServer } from '../fixtures/kill-server.js';
import { liveServers } from '../fixtures/live-servers.js';

test.concurrent.each(liveServers())(
  'a stream of %s comes back by itself whenever its server does',
  (_protocol, start) => killServer(start, 2),
);
