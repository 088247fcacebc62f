/** Colours of classes in their order, beside their names. Bright enough to be seen on photographs. */
const colours = [
  '#2dd4bf',
  '#f97316',
  '#60a5fa',
  '#f43f5e',
  '#facc15',
  '#a78bfa',
  '#4ade80',
  '#f472b6',
  '#22d3ee',
  '#fb923c',
  '#c084fc',
  '#a3e635',
] as const;

export function classColour(index: number): string {
  return colours[Math.max(0, index) % colours.length] ?? colours[0];
}

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
