import type { WithKeyLock } from '../core/keyed-mutex.js';
import type { Networks } from '../intake/public-address.js';
import type { ResolveHost } from '../intake/resolve-host.js';

/** One file of a parcel, on this machine's disk. */
export interface DeliveryFile {
  /** The last part of its name at the destination. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly mediaType: string;
}

/** What is sent on for one photograph: the image, and its sidecar where it has one. */
export interface Delivery {
  /** Of the drop's file, the same at every attempt: 36 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** Folders below the destination's own, outermost first. No part is empty, `.`, `..`, or has a slash or a control character. */
  readonly folders: readonly string[];
  /** In the order in which they are sent; the image is the last, so that whoever waits for it finds the sidecar. */
  readonly files: readonly DeliveryFile[];
  /** What was found in the image; for destinations that take more than files. */
  readonly labels: unknown;
  /** Whether an earlier attempt may have come through, wholly or in part, without our knowing. */
  readonly isRepeated: boolean;
}

export interface Delivered {
  /** Where the image is now, for people: an address or a path without credentials. */
  readonly where: string;
}

/**
 * Where the files of a drop go. Every method connects anew, throws `DeliveryError`, and ends at once when its signal fires, with
 * the signal's reason. A parcel that is delivered twice under one id is there once.
 */
export interface Destination {
  /** Resolves when the far side has all of it: under a passing name first where it can rename, its size checked. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Delivered>;
  /** Connects, writes a small file as `deliver` does, and removes it. Answers where that was. */
  test(signal: AbortSignal): Promise<Delivered>;
}

export type DeliveryErrorCode =
  | 'unreachable'
  /** Its address is private, and the operator has not allowed it. */
  | 'not-allowed'
  /** User name, password, key or token are not taken. */
  | 'credentials'
  /** The far side's identity (host key, certificate) is not the expected one. */
  | 'identity'
  /** The far side says no: a folder that is missing, no right to write. */
  | 'refused'
  | 'full'
  /** Something is there under that name, and the drop shall not replace it. */
  | 'exists'
  /** What is there is not what was sent. */
  | 'mismatch'
  /** The settings of the destination cannot work. */
  | 'settings';

/** Why a parcel was not delivered; the message is for the drop's owner and holds no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: DeliveryErrorCode;

  constructor(code: DeliveryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

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

/** How long a destination may take, in milliseconds. */
export interface DeliveryLimits {
  /** Until it has let us in. */
  readonly connectTimeoutMs: number;
  /** Without a byte in either direction. */
  readonly stallTimeoutMs: number;
  /** A delivery from its beginning to its end. */
  readonly wholeTimeoutMs: number;
}

export const usualLimits: DeliveryLimits = {
  connectTimeoutMs: 15_000,
  stallTimeoutMs: 30_000,
  wholeTimeoutMs: 10 * 60_000,
};
