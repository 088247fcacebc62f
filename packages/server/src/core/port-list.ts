export const portsExpected = 'must be ports or ranges of them, comma separated, such as 5000,32168,8000-8010';

/** The ports of a list such as `5000,8000-8010`; none for an empty one, null for what is no such list. */
export function parsePorts(list: string): ((port: number) => boolean) | null {
  const ranges: (readonly [first: number, last: number])[] = [];
  for (const entry of list.split(',')) {
    if (list.trim() === '') break;
    const [, first = '', last = first] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(entry) ?? [];
    const range = [Number(first), Number(last)] as const;
    if (first === '' || range[0] < 1 || range[1] > 65_535 || range[0] > range[1]) return null;
    ranges.push(range);
  }
  return (port) => ranges.some(([first, last]) => port >= first && port <= last);
}
