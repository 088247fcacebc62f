import type { CompatSettings } from '@lynceus/client';

type Protocol = CompatSettings['protocol'];

/** As their makers write them. */
export const protocolNames: Readonly<Record<Protocol, string>> = {
  deepstack: 'DeepStack',
  compreface: 'CompreFace',
  doods: 'DOODS',
  frigate: 'Frigate',
};

/** What a key can be made for, besides a program of the user's own. */
export const clientKinds = ['frigate', 'homeAssistant', 'deepstack', 'compreface'] as const;
export type ClientKind = (typeof clientKinds)[number];

interface Client {
  readonly protocol: Protocol;
  /** Whether it may name faces, and whether it does nothing else. */
  readonly faces: 'none' | 'some' | 'all';
  /** For its configuration. */
  readonly write: (address: string, key: string) => string;
}

export const clients: Readonly<Record<ClientKind, Client>> = {
  frigate: {
    protocol: 'deepstack',
    faces: 'none',
    write: (address, key) => `detectors:
  lynceus:
    type: deepstack
    api_url: ${address}/v1/vision/detection
    api_key: ${key}
    api_timeout: 0.5`,
  },
  homeAssistant: {
    protocol: 'doods',
    faces: 'none',
    write: (address, key) => `image_processing:
  - platform: doods
    url: ${address}
    auth_key: ${key}
    detector: default
    confidence: 50
    source:
      - entity_id: camera.front_yard`,
  },
  deepstack: {
    protocol: 'deepstack',
    faces: 'some',
    write: (address, key) => `detectors:
  deepstack:
    url: ${address}
    key: ${key}`,
  },
  compreface: {
    protocol: 'compreface',
    faces: 'all',
    write: (address, key) => `detectors:
  compreface:
    url: ${address}
    key: ${key}`,
  },
};
