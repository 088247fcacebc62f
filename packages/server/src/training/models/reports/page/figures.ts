/** Shares and times as people read them. */

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Without a figure: a dash. */
export function percentOrNone(share: number | null): string {
  return share === null ? '–' : percent(share);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
