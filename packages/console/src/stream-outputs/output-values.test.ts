import type { StreamOutput } from '@lynceus/client';
import { expect, test } from 'vitest';
import { isUrlOf, toSecrets, toSettings, toValues } from './output-values.js';

const common = { certificate: null, certificate_unchecked: false, streams: [7], kinds: [], labels: ['dog'] };
const mqtt: StreamOutput = {
  ...{ id: 1, uid: 'u', name: 'home', enabled: true, secrets: ['password'], delivered_seq: 0 },
  ...{ failing_since: null, error: null, given_up: 0, created_at: '2026-01-01T00:00:00Z' },
  settings: {
    ...{ kind: 'mqtt', url: 'mqtt://broker', username: 'u', client_id: null, prefix: 'a', retain: false },
    ...{ snapshots: true, frigate: true, frigate_prefix: 'f', home_assistant: true, discovery_prefix: 'd' },
    ...common,
  },
};

test('an output that is not changed is sent as it is', () => {
  expect(toSettings(toValues(mqtt))).toEqual(mqtt.settings);
  const webhook = { ...mqtt, settings: { kind: 'webhook', url: 'https://h/in', ...common } } as const;
  expect(toSettings(toValues(webhook))).toEqual(webhook.settings);
});

test('secrets are sent only where they are typed, and only those of the kind', () => {
  expect(toSecrets(toValues(mqtt))).toBeUndefined();
  const typed = { ...toValues(null), token: 't', query: '?key=1', password: 'p' };
  expect(toSecrets(typed)).toEqual({ token: 't', query: 'key=1' });
  expect(toSecrets({ ...typed, kind: 'mqtt' })).toEqual({ password: 'p' });
});

test('an address is checked by its kind', () => {
  expect(isUrlOf('webhook', 'https://h:8443/in')).toBe(true);
  expect(isUrlOf('mqtt', 'mqtts://broker.example:8883')).toBe(true);
  for (const url of ['', 'h', 'https://u@h/', 'https://h/?a=1', 'mqtt://h']) {
    expect(isUrlOf('webhook', url)).toBe(false);
  }
  expect(isUrlOf('mqtt', 'mqtt://h/topic')).toBe(false);
});
