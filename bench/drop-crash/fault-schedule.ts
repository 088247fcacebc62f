/** How a far side errs just now. `cut-late` ends the connection when all is stored, and before it is told so. */
export type Fault = 'none' | 'refuse' | 'hang' | 'cut' | 'cut-late' | 'full';

/** What a far side is like changes by itself. */
export interface FaultSchedule {
  now(): Fault;
  /** Hears each change. */
  onChange(listener: (fault: Fault) => void): void;
  /** No faults from now on. */
  clear(): void;
}

const faults: readonly Fault[] = [
  ...(['none', 'none', 'none', 'none'] as const),
  ...(['refuse', 'hang', 'cut', 'cut', 'cut-late', 'full'] as const),
];

/** Spells last between these two, in milliseconds. */
export function createFaultSchedule(minSpellMs: number, maxSpellMs: number): FaultSchedule {
  let fault: Fault = 'none';
  let timer: NodeJS.Timeout | undefined;
  const listeners: ((fault: Fault) => void)[] = [];
  const become = (next: Fault) => {
    fault = next;
    for (const listener of listeners) listener(next);
  };
  const change = () => {
    become(faults[Math.floor(Math.random() * faults.length)] ?? 'none');
    timer = setTimeout(change, minSpellMs + Math.random() * (maxSpellMs - minSpellMs));
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
