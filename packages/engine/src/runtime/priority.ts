/**
 * Who waits, the highest class first: a user, a live stream, a queue of files, a training run. A lower class runs only
 * when no higher one waits.
 */
export const priorities = ['interactive', 'stream', 'batch', 'background'] as const;

export type Priority = (typeof priorities)[number];

/** A table with one value for each priority. */
export function byPriority<Value>(valueFor: (priority: Priority) => Value): Record<Priority, Value> {
  return {
    interactive: valueFor('interactive'),
    stream: valueFor('stream'),
    batch: valueFor('batch'),
    background: valueFor('background'),
  };
}
