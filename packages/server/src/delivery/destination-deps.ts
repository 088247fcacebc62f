import type { WithKeyLock } from '../core/keyed-mutex.js';
import type { Networks } from '../intake/public-address.js';
import type { ResolveHost } from '../intake/resolve-host.js';
import type { DeliveryLimits } from './delivery-limits.js';

export interface DestinationDeps {
  /** Private networks that the operator lets files be sent to. */
  readonly allowedNetworks: Networks;
  /** Folders of this machine, absolute, in which the operator lets files be put. */
  readonly allowedFolders: readonly string[];
  /** One for all destinations: what cannot be done in one step at the far side is done by one of us at a time. */
  readonly withKeyLock: WithKeyLock;
  /** Keeps the key of a host that had none in its settings; awaited before anything secret is sent to that host. */
  readonly keepHostKey: (fingerprint: string) => Promise<void>;
  readonly resolve?: ResolveHost;
  readonly limits?: DeliveryLimits;
}
