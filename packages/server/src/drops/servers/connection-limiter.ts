import { type LeaveSlot, takeSlot } from '../../core/take-slot.js';
import { networkOf } from './client-network.js';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** For IPv6, per /64 network. */
  readonly maxPerAddress: number;
  /** For one drop. */
  readonly maxPerLogIn: number;
  /** For all drops of one account together. */
  readonly maxPerAccount: number;
}

interface ConnectionLimiterOptions extends ConnectionLimits {
  /** Passive ports that one account may have open at a time. */
  readonly maxPortsPerAccount: number;
}

/** A drop is identified by account and number: numbers repeat between accounts. */
interface ConnectionOwner {
  readonly accountId: number;
  readonly dropId: number;
}

export type ConnectionLimiter = ReturnType<typeof createConnectionLimiter>;

/** Counts simultaneous connections, sessions and passive ports. */
export function createConnectionLimiter(options: ConnectionLimiterOptions) {
  const { maxConnections, maxPerAddress, maxPerLogIn, maxPerAccount, maxPortsPerAccount } = options;
  let all = 0;
  const byNetwork = new Map<string, number>();
  const byDrop = new Map<string, number>();
  const byAccount = new Map<number, number>();
  const portsByAccount = new Map<number, number>();
  return {
    /** Null when the service or this address has reached its limit. */
    enter(address: string): LeaveSlot | null {
      if (all >= maxConnections) return null;
      const leave = takeSlot(byNetwork, networkOf(address), maxPerAddress);
      if (!leave) return null;
      all++;
      return () => {
        leave();
        all--;
      };
    },
    /** Null when this drop or its account has reached its limit. */
    logIn({ accountId, dropId }: ConnectionOwner): LeaveSlot | null {
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
    /** Null when this account has reached its limit of passive ports. */
    listen: ({ accountId }: Pick<ConnectionOwner, 'accountId'>): LeaveSlot | null =>
      takeSlot(portsByAccount, accountId, maxPortsPerAccount),
  };
}
