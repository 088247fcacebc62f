import { classColour } from './class-colour.js';

/** The colour of a class, beside its name. */
export function ClassDot({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      style={{
        width: 12,
        height: 12,
        flexShrink: 0,
        borderRadius: 4,
        background: classColour(index),
        border: '1px solid rgb(0 0 0 / 0.35)',
      }}
    />
  );
}
