import { createHash } from 'node:crypto';
import { DeliveryError } from './destination.js';

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(hostKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`;
}

export interface HostKeyCheck {
  /** Whether a host with this key is the one that is meant. */
  check(hostKey: Buffer): Promise<boolean>;
  /** Why it was not. */
  refusal(): DeliveryError | null;
}

/** The expected key, or, where none is, the first one seen, which is kept before anything secret is sent. */
export function createHostKeyCheck(
  expected: string | undefined,
  keep: (fingerprint: string) => Promise<void>,
): HostKeyCheck {
  let pinned = expected;
  let refused: DeliveryError | null = null;
  return {
    async check(hostKey) {
      const fingerprint = fingerprintOf(hostKey);
      refused = null;
      if (pinned === undefined) {
        await keep(fingerprint);
        pinned = fingerprint;
      }
      if (pinned === fingerprint) return true;
      refused = new DeliveryError(
        'identity',
        `the host has another key (${fingerprint}) than before (${pinned}); if whoever runs it confirms the change, set host_key to it`,
      );
      return false;
    },
    refusal: () => refused,
  };
}
