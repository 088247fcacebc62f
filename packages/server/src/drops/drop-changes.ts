import type { Creator } from '../accounts/creator.js';
import type { Page, PageRequest } from '../storage/page.js';
import type { DestinationRequest, WholeDestination } from './destination-rows.js';
import type { Drop } from './drop.js';
import type { DropSettingsChange } from './drop-settings.js';

export interface NewDrop {
  readonly name: string;
  /** One that tells something of the name unless given. */
  readonly userName?: string | undefined;
  readonly settings?: DropSettingsChange | undefined;
  readonly destination?: DestinationRequest | null | undefined;
  /** Of the drop's key. */
  readonly creator: Creator;
}

/** Absent: as it is. */
export type DropChange = Partial<Pick<NewDrop, 'name' | 'settings' | 'destination'>>;

/** The drops of accounts. One of another account is `not_found`, as one that there is not. */
export interface Drops {
  /** The key is in the answer and nowhere else. Throws `conflict` when the user name is taken, or there are too many. */
  create(accountId: number, wanted: NewDrop): Promise<{ readonly drop: Drop; readonly key: string }>;
  /** The newest first; a position is an id. */
  list(accountId: number, page: PageRequest<number>): Promise<Page<Drop, number>>;
  read(accountId: number, id: number): Promise<Drop>;
  change(accountId: number, id: number, change: DropChange): Promise<Drop>;
  /** Another key in the place of the one that there is, which is refused from now on. */
  renewKey(
    accountId: number,
    id: number,
    creator: Creator,
  ): Promise<{ readonly drop: Drop; readonly key: string }>;
  /** With its secrets; null where there is none. For delivering alone. Throws `DeliveryError` where they cannot be opened. */
  destination(accountId: number, id: number): Promise<WholeDestination | null>;
  /** The key that a host presented first; without effect where a key is known. */
  keepHostKey(accountId: number, id: number, fingerprint: string): Promise<void>;
}
