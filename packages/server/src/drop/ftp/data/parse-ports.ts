import type { PortRange } from './passive.js';

/** A range as `50000-50100`, or one port. Throws an error that says what is wrong with it. */
export function parsePorts(text: string): PortRange {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text.trim());
  const first = Number(match?.[1] ?? 0);
  const last = Number(match?.[2] ?? first);
  if (!match || first < 1024 || last > 65_535 || last < first) {
    throw new Error(`${text} is no range of ports from 1024 to 65535, such as 50000-50100`);
  }
  return { first, last };
}
