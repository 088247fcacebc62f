import { afterEach, expect, test, vi } from 'vitest';
import { findFreePort } from '../../delivery/fixtures/started-program.js';
import { enterAsAdministrator, openBrowser } from '../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { makeCompatKey } from '../common/fixtures/compat-client.js';
import { askFrom } from './fixtures/ask-from.js';

const running: TestService[] = [];
afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.stop();
});

test('a listener that one replica made is opened by another, as soon as the port is free there', async () => {
  const port = await findFreePort();
  const options = { compatListenerPorts: String(port) };
  const first = await startTestService(options);
  running.push(first);
  const administrator = await enterAsAdministrator(first);
  const { id: keyId } = await makeCompatKey(first, { protocol: 'deepstack' });
  const body = { port, key_id: keyId, allowed_networks: ['127.0.0.1'] };
  const { json: made } = await administrator.call('/api/compat-listeners', { method: 'POST', body });
  expect(made.state).toBe('listening');

  const second = await startTestService({ ...options, beside: first });
  running.push(second);
  // Both are on this machine: there the port is taken until the first one stops.
  const browser = openBrowser(second);
  Object.assign(browser.jar, administrator.jar);
  const listed = async () => (await browser.call('/api/compat-listeners')).json.data;
  await vi.waitFor(
    async () =>
      expect(await listed()).toMatchObject([
        { id: made.id, state: 'failed', reason: expect.stringContaining('in use') },
      ]),
    6000,
  );
  expect(await administrator.call(`/api/compat-listeners/${made.id}`, { method: 'DELETE' })).toMatchObject({
    status: 204,
  });
  await vi.waitFor(async () => expect(await listed()).toEqual([]), 6000);

  // What is made here is there too, where it can be opened once this one closed it.
  const { json: again } = await browser.call('/api/compat-listeners', { method: 'POST', body });
  expect(again.state).toBe('listening');
  await vi.waitFor(
    async () =>
      expect((await administrator.call('/api/compat-listeners')).json.data).toMatchObject([
        { id: again.id, state: 'failed' },
      ]),
    6000,
  );
  running.pop();
  await second.stop();
  await vi.waitFor(async () => expect((await askFrom({ port })).status).toBe(200), 6000);
  expect((await administrator.call('/api/compat-listeners')).json.data).toMatchObject([
    { id: again.id, state: 'listening', reason: null },
  ]);
});
