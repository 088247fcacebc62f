import { type LeaveSlot, takeSlot } from '../core/take-slot.js';
import { networkOf } from './network-of.js';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of IPv6, per /64 network. */
  readonly maxPerAddress: number;
  /** Of one drop. */
  readonly maxPerLogIn: number;
  /** Of all drops of one account. */
  readonly maxPerAccount: number;
}

export interface ConnectionLimiterOptions extends ConnectionLimits {
  /** Ports on which one account may wait for data. */
  readonly maxPortsPerAccount: number;
}

/** Numbers of drops are counted by account: a number alone is no drop. */
export interface ConnectionOwner {
  readonly accountId: number;
  readonly dropId: number;
}

export interface ConnectionLimiter {
  /** Null when none is free for this address. */
  enter(address: string): LeaveSlot | null;
  /** Null when this drop, or its account, has as many as it may have. */
  logIn(drop: ConnectionOwner): LeaveSlot | null;
  /** Null when this account waits for data on as many ports as it may. */
  listen(drop: Pick<ConnectionOwner, 'accountId'>): LeaveSlot | null;
}

/** How many may be there at once. */
export function createConnectionLimiter(options: ConnectionLimiterOptions): ConnectionLimiter {
  const { maxConnections, maxPerAddress, maxPerLogIn, maxPerAccount, maxPortsPerAccount } = options;
  let all = 0;
  const byNetwork = new Map<string, number>();
  const byDrop = new Map<string, number>();
  const byAccount = new Map<number, number>();
  const portsByAccount = new Map<number, number>();
  return {
    enter(address) {
      if (all >= maxConnections) return null;
      const leave = takeSlot(byNetwork, networkOf(address), maxPerAddress);
      if (!leave) return null;
      all++;
      return () => {
        leave();
        all--;
      };
    },
    logIn({ accountId, dropId }) {
      const leaveAccount = takeSlot(byAccount, accountId, maxPerAccount);
      if (!leaveAccount) return null;
      const leaveDrop = takeSlot(byDrop, `${accountId} ${dropId}`, maxPerLogIn);
      if (!leaveDrop) {
        leaveAccount();
        return null;
      }
      return () => {
        leaveDrop();
        leaveAccount();
      };
    },
    listen: ({ accountId }) => takeSlot(portsByAccount, accountId, maxPortsPerAccount),
  };
}
