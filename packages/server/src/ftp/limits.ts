import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.js';
import { type LeaveSlot, takeSlot } from '../core/take-slot.js';
import { networkOf } from './addresses.js';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** For IPv6, per /64 network. */
  readonly maxPerAddress: number;
  /** For one drop. */
  readonly maxPerLogIn: number;
  /** For all drops of one account together. */
  readonly maxPerAccount: number;
}

export interface ConnectionLimiterOptions extends ConnectionLimits {
  /** Passive ports that one account may have open at a time. */
  readonly maxPortsPerAccount: number;
}

/** A drop is identified by account and number: numbers repeat between accounts. */
export interface ConnectionOwner {
  readonly accountId: number;
  readonly dropId: number;
}

export interface ConnectionLimiter {
  /** Null when the service or this address has reached its limit. */
  enter(address: string): LeaveSlot | null;
  /** Null when this drop or its account has reached its limit. */
  logIn(drop: ConnectionOwner): LeaveSlot | null;
  /** Null when this account has reached its limit of passive ports. */
  listen(drop: Pick<ConnectionOwner, 'accountId'>): LeaveSlot | null;
}

/** Counts simultaneous connections, sessions and passive ports. */
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

export interface LogInThrottleLimits {
  /** Failed log-ins on one connection; then it is closed. */
  readonly maxPerConnection: number;
  /** Failed log-ins of one address (IPv6: one /64) within `forgetMs`; then it is banned for `banMs`. */
  readonly maxPerAddress: number;
  readonly forgetMs: number;
  readonly banMs: number;
  /** Delay of the reply to a failed log-in; doubled with each further failure of the address, up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export interface LogInThrottle {
  isBanned(address: string): boolean;
  /** Counts a failed log-in; returns the delay of its reply, and whether the address is now banned. */
  recordFailure(address: string): { readonly delayMs: number; readonly isBanned: boolean };
  recordSuccess(address: string): void;
}

/** Failures are kept for this many addresses; the least recently used are evicted first. */
const maxAddresses = 10_000;

export function createLogInThrottle(limits: LogInThrottleLimits, clock: Clock): LogInThrottle {
  const counts = new LRUCache<string, { count: number; lastMs: number; bannedUntilMs: number }>({
    max: maxAddresses,
  });
  const recall = (address: string) => {
    const found = counts.get(networkOf(address));
    return found && clock() - found.lastMs < Math.max(limits.forgetMs, limits.banMs) ? found : null;
  };
  return {
    isBanned: (address) => (recall(address)?.bannedUntilMs ?? 0) > clock(),
    recordFailure(address) {
      const before = recall(address);
      const isFresh = !before || clock() - before.lastMs >= limits.forgetMs;
      const count = isFresh ? 1 : before.count + 1;
      const isBanned = count >= limits.maxPerAddress;
      counts.set(networkOf(address), {
        // The count restarts after a ban.
        count: isBanned ? 0 : count,
        lastMs: clock(),
        bannedUntilMs: isBanned ? clock() + limits.banMs : 0,
      });
      const delayMs = Math.min(limits.firstDelayMs * 2 ** Math.min(count - 1, 30), limits.maxDelayMs);
      return { delayMs, isBanned };
    },
    recordSuccess(address) {
      const found = recall(address);
      // A success cancels one failure only: the owner of one drop could otherwise guess keys of another without limit.
      if (found && found.count > 0) found.count--;
    },
  };
}
