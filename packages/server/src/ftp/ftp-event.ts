import type { DropPath } from '../drops/drop-folders.js';

/** What happened, for the log. None has a password, a key or a user name that was not taken. */
export type FtpEvent =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'turned-away';
      readonly address: string;
      readonly why: 'no place' | 'banned' | 'places of the log-in';
    }
  | {
      readonly kind: 'log-in-refused';
      readonly connection: number;
      readonly address: string;
      readonly isBanned: boolean;
    }
  | {
      readonly kind: 'logged-in';
      readonly connection: number;
      readonly address: string;
      readonly accountId: number;
      readonly dropId: number;
      readonly isSecure: boolean;
    }
  | {
      readonly kind: 'received' | 'cut';
      readonly connection: number;
      readonly accountId: number;
      readonly dropId: number;
      readonly path: DropPath;
      /** Of this transfer. */
      readonly sizeBytes: number;
      /** Of a cut: in words. */
      readonly why?: string;
    }
  /** Somebody else than the client came to its data port. */
  | { readonly kind: 'stranger'; readonly connection: number; readonly address: string }
  | { readonly kind: 'plain-text-before-tls'; readonly connection: number; readonly address: string }
  | { readonly kind: 'no-passive-port' }
  | { readonly kind: 'certificate-changed' }
  | { readonly kind: 'certificate-bad'; readonly error: Error }
  /** Ours, not the client's. */
  | { readonly kind: 'failed'; readonly connection: number; readonly error: unknown };
