import { networkOf } from './network-of.js';

export interface PlaceLimits {
  readonly maxConnections: number;
  /** Of IPv6, per /64 network. */
  readonly maxPerAddress: number;
  /** Of one drop. */
  readonly maxPerLogIn: number;
  /** Of all drops of one account. */
  readonly maxPerAccount: number;
}

/** Numbers of drops are counted by account: a number alone is no drop. */
export interface PlaceHolder {
  readonly accountId: number;
  readonly dropId: number;
}

/** Gives a place back; once. */
export type LeavePlace = () => void;

export interface Places {
  /** Null when none is free for this address. */
  enter(address: string): LeavePlace | null;
  /** Null when this drop, or its account, has as many as it may have. */
  logIn(drop: PlaceHolder): LeavePlace | null;
}

/** How many may be there at once. */
export function createPlaces(limits: PlaceLimits): Places {
  const { maxConnections, maxPerAddress, maxPerLogIn, maxPerAccount } = limits;
  let all = 0;
  const byNetwork = new Map<string, number>();
  const byDrop = new Map<string, number>();
  const byAccount = new Map<number, number>();
  return {
    enter(address) {
      if (all >= maxConnections) return null;
      const leave = take(byNetwork, networkOf(address), maxPerAddress);
      if (!leave) return null;
      all++;
      return () => {
        leave();
        all--;
      };
    },
    logIn({ accountId, dropId }) {
      const leaveAccount = take(byAccount, accountId, maxPerAccount);
      if (!leaveAccount) return null;
      const leaveDrop = take(byDrop, `${accountId} ${dropId}`, maxPerLogIn);
      if (!leaveDrop) {
        leaveAccount();
        return null;
      }
      return () => {
        leaveDrop();
        leaveAccount();
      };
    },
  };
}

function take<Key>(counts: Map<Key, number>, key: Key, max: number): LeavePlace | null {
  const count = counts.get(key) ?? 0;
  if (count >= max) return null;
  counts.set(key, count + 1);
  return () => {
    const left = (counts.get(key) ?? 1) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}
