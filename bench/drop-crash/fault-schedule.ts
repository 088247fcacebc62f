import { between, pick } from '../kill/chance.js';

/** The current fault of a remote server. `cut-late` ends the connection when all is stored, before the acknowledgement. */
export type Fault = 'none' | 'refuse' | 'hang' | 'cut' | 'cut-late' | 'full';

/** Changes the fault of a remote server over time. */
export interface FaultSchedule {
  now(): Fault;
  /** Called at each change. */
  onChange(listener: (fault: Fault) => void): void;
  /** No faults from now on. */
  clear(): void;
}

const faults: readonly Fault[] = [
  ...(['none', 'none', 'none', 'none'] as const),
  ...(['refuse', 'hang', 'cut', 'cut', 'cut-late', 'full'] as const),
];

/** Minimum and maximum duration of a fault, in milliseconds. */
export function createFaultSchedule(minSpellMs: number, maxSpellMs: number): FaultSchedule {
  let fault: Fault = 'none';
  let timer: NodeJS.Timeout | undefined;
  const listeners: ((fault: Fault) => void)[] = [];
  const become = (next: Fault) => {
    fault = next;
    for (const listener of listeners) listener(next);
  };
  const change = () => {
    become(pick(faults) ?? 'none');
    timer = setTimeout(change, between(minSpellMs, maxSpellMs));
  };
  change();
  return {
    now: () => fault,
    onChange: (listener) => void listeners.push(listener),
    clear() {
      clearTimeout(timer);
      become('none');
    },
  };
}
