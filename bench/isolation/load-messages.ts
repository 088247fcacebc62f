import type { TenantAddress } from './tenant.js';

/** To the process of the account that asks without end; it answers each with one `LoadReply`. */
export type LoadRequest =
  | { readonly kind: 'prepare'; readonly resource: string; readonly tenant: TenantAddress }
  /** Resolves with the first answer. */
  | { readonly kind: 'start' }
  /** How many answers there were since the start. */
  | { readonly kind: 'count' }
  | { readonly kind: 'stop' };

export interface LoadReply {
  readonly answered: number;
  /** What failed. */
  readonly error?: string;
}
