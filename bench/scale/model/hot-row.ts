import type { Inputs } from './inputs.js';

export interface Workload {
  readonly replicas: number;
  /** Accounts that call, each on every replica alike. */
  readonly accounts: number;
  /** Under way on each replica at most; each caller makes its next call when the last is answered. */
  readonly callersPerReplica: number;
  /** Between an answer and the caller's next call: recognition, and 0 for counting alone. */
  readonly thinkMs: number;
  /** Of the server of the database. */
  readonly cores: number;
}

export interface Outcome {
  readonly callsPerSecond: number;
  /** From when a call asks to be counted until it is on disk. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Calls in a commit, on average. */
  readonly batchCalls: number;
}

/** Calls that one commit takes at most, as in the service. */
const maxBatch = 512;

/**
 * A discrete simulation of counting. Each replica has one writer, whose batch takes what has gathered, locks its accounts in order,
 * holds them while the statement runs and until the commit is on disk, and answers; batches that share no account run side by side,
 * as many as the server has cores. Times are drawn from no distribution: what is to be seen is the queue, not its noise.
 * @returns what `simulatedMs` of it come to, after a tenth in which queues fill
 */
export function simulateCounting(
  { batchMs, callMs, replicaCpuMs }: Pick<Inputs, 'batchMs' | 'callMs' | 'replicaCpuMs'>,
  workload: Workload,
  simulatedMs = 20_000,
): Outcome {
  const { replicas, accounts, callersPerReplica, thinkMs, cores } = workload;
  const events = createEvents();
  const waiting: Call[][] = Array.from({ length: replicas }, () => []);
  const isWriting = Array.from({ length: replicas }, () => false);
  const freeAtMs = Array.from({ length: replicas }, () => 0);
  const rows = createLocks(accounts);
  const slots = createLocks(1, cores);
  const latenciesMs: number[] = [];
  let batches = 0;
  let answered = 0;

  const ask = (replica: number, account: number, nowMs: number) => {
    // Its own work is done by one thread, a call after the other.
    const readyMs = Math.max(nowMs, freeAtMs[replica] ?? 0) + replicaCpuMs;
    freeAtMs[replica] = readyMs;
    events.at(readyMs, () => {
      waiting[replica]?.push({ account, askedMs: nowMs });
      write(replica, readyMs);
    });
  };
  const write = (replica: number, nowMs: number) => {
    if (isWriting[replica] || waiting[replica]?.length === 0) return;
    isWriting[replica] = true;
    // Whoever was answered by the batch before goes on first, and may have the next call in this one.
    const takenMs = Math.max(nowMs, freeAtMs[replica] ?? 0);
    events.at(takenMs, () => commit(replica, takenMs));
  };
  const commit = (replica: number, nowMs: number) => {
    const calls = waiting[replica]?.splice(0, maxBatch) ?? [];
    const locked = [...new Set(calls.map(({ account }) => account))].sort((a, b) => a - b);
    const execute = (atMs: number) => {
      const endMs = atMs + batchMs + callMs * calls.length;
      events.at(endMs, () => {
        slots.release(0, endMs);
        for (const account of locked) rows.release(account, endMs);
        isWriting[replica] = false;
        const isCounted = endMs > simulatedMs / 10;
        if (isCounted) batches += 1;
        for (const { account, askedMs } of calls) {
          if (isCounted) {
            answered += 1;
            latenciesMs.push(endMs - askedMs);
          }
          if (thinkMs === 0) ask(replica, account, endMs);
          else events.at(endMs + thinkMs, () => ask(replica, account, endMs + thinkMs));
        }
        write(replica, endMs);
      });
    };
    const lock = (index: number, atMs: number): void => {
      const account = locked[index];
      if (account === undefined) slots.take(0, atMs, execute);
      else rows.take(account, atMs, (takenMs) => lock(index + 1, takenMs));
    };
    lock(0, nowMs);
  };

  for (let replica = 0; replica < replicas; replica += 1) {
    for (let caller = 0; caller < callersPerReplica; caller += 1) {
      const account = (replica + caller) % accounts;
      // Spread over the time of a call: they did not all begin at once.
      const startMs = (thinkMs * caller) / callersPerReplica;
      events.at(startMs, () => ask(replica, account, startMs));
    }
  }
  events.run(simulatedMs);
  latenciesMs.sort((a, b) => a - b);
  const quantile = (part: number) => latenciesMs[Math.floor(part * latenciesMs.length)] ?? Number.NaN;
  return {
    callsPerSecond: (answered * 1000) / (simulatedMs * 0.9),
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    batchCalls: answered / batches,
  };
}

interface Call {
  readonly account: number;
  readonly askedMs: number;
}

/** Locks that at most `holders` have at a time, given in the order of asking. */
function createLocks(count: number, holders = 1) {
  const held = Array.from({ length: count }, () => 0);
  const queues: ((atMs: number) => void)[][] = Array.from({ length: count }, () => []);
  return {
    take(lock: number, nowMs: number, then: (atMs: number) => void): void {
      if ((held[lock] ?? 0) >= holders) return void queues[lock]?.push(then);
      held[lock] = (held[lock] ?? 0) + 1;
      then(nowMs);
    },
    release(lock: number, nowMs: number): void {
      const next = queues[lock]?.shift();
      if (next) next(nowMs);
      else held[lock] = (held[lock] ?? 1) - 1;
    },
  };
}

/** What is to happen, in the order of time, and of being asked for at the same time: a binary heap. */
function createEvents() {
  const heap: { readonly atMs: number; readonly order: number; readonly happen: () => void }[] = [];
  let asked = 0;
  const isBefore = (a: number, b: number) => {
    const [first, second] = [heap[a], heap[b]];
    if (!first || !second) return false;
    return first.atMs < second.atMs || (first.atMs === second.atMs && first.order < second.order);
  };
  const swap = (a: number, b: number) => {
    const [first, second] = [heap[a], heap[b]];
    if (first && second) [heap[a], heap[b]] = [second, first];
  };
  const rise = (index: number): void => {
    const parent = (index - 1) >> 1;
    if (index === 0 || !isBefore(index, parent)) return;
    swap(index, parent);
    rise(parent);
  };
  const sink = (index: number): void => {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    if (left >= heap.length) return;
    const child = right < heap.length && isBefore(right, left) ? right : left;
    if (!isBefore(child, index)) return;
    swap(index, child);
    sink(child);
  };
  return {
    at(atMs: number, happen: () => void): void {
      heap.push({ atMs, order: asked++, happen });
      rise(heap.length - 1);
    },
    run(untilMs: number): void {
      for (let next = heap[0]; next && next.atMs <= untilMs; next = heap[0]) {
        swap(0, heap.length - 1);
        heap.pop();
        sink(0);
        next.happen();
      }
    },
  };
}
