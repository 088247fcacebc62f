import { toPathPart } from '../account/path-part.js';
import type { CompatListener } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface CreateCompatListenerOptions extends CallOptions {
  /** One of the setting `compatListenerPorts`. */
  readonly port: number;
  /** Of a key for clients of other services: its access have all that the listener lets in. */
  readonly keyId: number;
  /** Addresses and networks such as `192.168.1.0/24`; from others nobody is let in. */
  readonly allowedNetworks: readonly string[];
  /** 127.0.0.1 unless given; 0.0.0.0 or :: for all addresses of the machine. */
  readonly host?: string | undefined;
}

const path = '/api/compat-listeners';

/** Ports for clients of other services that send no key. */
export function createCompatListeners(send: Send) {
  const calls = {
    /** Each with its state at the replica that answers. */
    list: async (options: CallOptions = {}): Promise<{ readonly data: readonly CompatListener[] }> =>
      ask(send, { method: 'GET', path }, options),

    /** Opens a port here at once, and at other replicas within seconds. */
    create: async (options: CreateCompatListenerOptions): Promise<CompatListener> => {
      const { port, keyId, allowedNetworks, host } = options;
      const json = { port, key_id: keyId, allowed_networks: allowedNetworks, host };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** Closes a port; requests under way are answered. */
    delete: async (id: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: `${path}/${toPathPart('id', id)}` }, options),
  };
  return checked('admin.compatListeners', calls, {
    create: [0, { port: 'needed', keyId: 'needed', allowedNetworks: 'needed array', host: 'optional' }],
  });
}
