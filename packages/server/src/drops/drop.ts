import type { DestinationSettings, SecretName } from '../delivery/destination-settings.js';
import type { DropSettings } from './drop-settings.js';

/** Receives photographs by FTP, writes keywords into them, and delivers them. Times are milliseconds since 1970. */
export interface Drop {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** By which its owner logs in; unique in the installation. */
  readonly userName: string;
  /** Of its own API key, which is the password. */
  readonly keyId: number;
  readonly settings: DropSettings;
  /** Null: files get their keywords and stay in `done`. */
  readonly destination: DestinationSettings | null;
  /** Those of the destination's that are kept. */
  readonly secretNames: readonly SecretName[];
  readonly createdAt: number;
}
