/** Past, present and undone states. */
export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** Name of the last step: the next step of the same name extends it, such as repeated moves of a box. */
  readonly step: string | null;
}

/** Steps that can be undone. */
const maxSteps = 500;

export function beginHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], step: null };
}

export function record<State>(
  history: History<State>,
  present: State,
  step: string | null = null,
): History<State> {
  if (present === history.present) return history;
  const continues = step !== null && step === history.step;
  const past = continues ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present, future: [], step };
}

export function undo<State>(history: History<State>): History<State> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present,
    future: [history.present, ...history.future],
    step: null,
  };
}

export function redo<State>(history: History<State>): History<State> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, step: null };
}
