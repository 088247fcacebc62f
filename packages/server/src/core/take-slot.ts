/** Gives a slot back; once. */
export type LeaveSlot = () => void;

/** One of the slots that each key has, or null when all of that key are taken. A key without any takes no memory. */
export function takeSlot<Key>(taken: Map<Key, number>, key: Key, max: number): LeaveSlot | null {
  const count = taken.get(key) ?? 0;
  if (count >= max) return null;
  taken.set(key, count + 1);
  return () => {
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
  };
}
