import { LRUCache } from 'lru-cache';
import type { Clock } from '../core/clock.js';
import { type LeaveSlot, takeSlot } from '../core/take-slot.js';
import { networkOf } from './addresses.js';

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

export interface LogInThrottleLimits {
  /** Wrong log-ins on one connection; then it is closed. */
  readonly maxPerConnection: number;
  /** Wrong log-ins of one address (of IPv6: one /64) within `forgetMs`; then it is turned away for `banMs`. */
  readonly maxPerAddress: number;
  readonly forgetMs: number;
  readonly banMs: number;
  /** A wrong log-in is answered after this, doubled with each of the address, up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

export interface LogInThrottle {
  isBanned(address: string): boolean;
  /** Counts a wrong log-in, and answers how long its answer waits, and whether the address is turned away from now on. */
  wrong(address: string): { readonly delayMs: number; readonly isBanned: boolean };
  right(address: string): void;
}

/** Of so many addresses the guesses are remembered; those that guessed longest ago are forgotten first. */
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
    wrong(address) {
      const before = recall(address);
      const isFresh = !before || clock() - before.lastMs >= limits.forgetMs;
      const count = isFresh ? 1 : before.count + 1;
      const isBanned = count >= limits.maxPerAddress;
      counts.set(networkOf(address), {
        // After a ban an address begins anew.
        count: isBanned ? 0 : count,
        lastMs: clock(),
        bannedUntilMs: isBanned ? clock() + limits.banMs : 0,
      });
      const delayMs = Math.min(limits.firstDelayMs * 2 ** Math.min(count - 1, 30), limits.maxDelayMs);
      return { delayMs, isBanned };
    },
    right(address) {
      const found = recall(address);
      // Who owns one drop may guess at another's: a right log-in forgives one wrong one, not all.
      if (found && found.count > 0) found.count--;
    },
  };
}
