import type { WithKeyLock } from '../core/keyed-mutex.js';
import type { Networks } from '../intake/public-address.js';
import type { ResolveHost } from '../intake/resolve-host.js';

/** One file of a delivery, on the local disk. */
export interface DeliveryFile {
  /** Its name at the destination, without folders. */
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly mediaType: string;
}

/** The files for one image: the image itself, and its sidecar if it has one. */
export interface Delivery {
  /** The id of the drop's file, the same at every attempt: 36 characters of `a-z 0-9 -`. */
  readonly id: string;
  /** Folders below the destination's folder, outermost first. None is empty, `.` or `..`, or has a slash or a control character. */
  readonly folders: readonly string[];
  /** In the order in which they are sent. The image is the last, so that its sidecar exists when it appears. */
  readonly files: readonly DeliveryFile[];
  /** The labels found in the image; for destinations that accept more than files. */
  readonly labels: unknown;
  /** Whether an earlier attempt may have succeeded, completely or in part, without confirmation. */
  readonly isRepeated: boolean;
}

export interface Delivered {
  /** The location of the image for display: an address or a path without credentials. */
  readonly where: string;
}

/**
 * Receives the files of a drop. Every method opens a new connection, throws `DeliveryError`, and rejects with the signal's reason
 * as soon as its signal fires. A delivery repeated under the same id is stored once.
 */
export interface Destination {
  /** Resolves when the remote server has every file. Uses a temporary name where it supports renaming, and checks the size. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Delivered>;
  /** Connects, writes a small file as `deliver` does, removes it, and returns its location. */
  test(signal: AbortSignal): Promise<Delivered>;
}

export type DeliveryErrorCode =
  | 'unreachable'
  /** Its address is private and not allowed by the operator. */
  | 'not-allowed'
  /** User name, password, key or token are rejected. */
  | 'credentials'
  /** The remote server's identity (host key, certificate) is not the expected one. */
  | 'identity'
  /** The remote server refuses: a folder is missing, or the user may not write. */
  | 'refused'
  | 'full'
  /** A file of that name exists, and the drop must not replace it. */
  | 'exists'
  /** The stored file differs from what was sent. */
  | 'mismatch'
  /** The settings of the destination cannot work. */
  | 'settings';

/** Why a delivery failed; the message is for the drop's owner and contains no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly code: DeliveryErrorCode;

  constructor(code: DeliveryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface DestinationDeps {
  /** Private networks that the operator allows as destinations. */
  readonly allowedNetworks: Networks;
  /** Absolute paths of local folders that the operator allows as destinations. */
  readonly allowedFolders: readonly string[];
  /** Shared by all destinations: serialises operations that a remote server cannot do atomically. */
  readonly withKeyLock: WithKeyLock;
  /** Stores the key of a host without a configured one; awaited before any secret is sent to that host. */
  readonly keepHostKey: (fingerprint: string) => Promise<void>;
  readonly resolve?: ResolveHost;
  readonly limits?: DeliveryLimits;
}

/** Time limits of a destination, in milliseconds. */
export interface DeliveryLimits {
  /** For connecting and logging in. */
  readonly connectTimeoutMs: number;
  /** Without a byte in either direction. */
  readonly stallTimeoutMs: number;
  /** For a whole delivery. */
  readonly wholeTimeoutMs: number;
}

export const usualLimits: DeliveryLimits = {
  connectTimeoutMs: 15_000,
  stallTimeoutMs: 30_000,
  wholeTimeoutMs: 10 * 60_000,
};
