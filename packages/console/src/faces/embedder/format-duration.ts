/** About how long, in its largest unit: `3 minutes`. */
export function formatDuration(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 90
      ? ([Math.max(1, Math.round(seconds)), 'second'] as const)
      : seconds < 5400
        ? ([Math.round(seconds / 60), 'minute'] as const)
        : ([Math.round(seconds / 3600), 'hour'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
