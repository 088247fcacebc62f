import { styleText } from 'node:util';

const colours = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
} as const;

/** A stream of JSON log lines, shown as `12:30:05 info  message  name=value`. */
export function terminalStream(out: { write(text: string): unknown }) {
  return {
    write: (line: string) => void out.write(`${formatLogLine(line, true)}\n`),
    flushSync() {},
  };
}

export function formatLogLine(line: string, colour: boolean): string {
  const record = parseRecord(line);
  if (!record) return line.trimEnd();
  const { level, time, msg, err, ...rest } = record;
  const label = String(level);
  const shade = Object.entries(colours).find(([name]) => name === label)?.[1];
  const padded = label.padEnd(5);
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${showValue(value)}`);
  const head = [clock, colour && shade ? styleText(shade, padded) : padded, printable(String(msg ?? ''))];
  return [...head, ...fields].join(' ').trimEnd() + showError(err);
}

function parseRecord(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function showValue(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value)
    ? value
    : printable(JSON.stringify(value) ?? '');
}

function showError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : '';
  return `\n${String(text)
    .split('\n')
    .map((line) => `  ${printable(line)}`)
    .join('\n')}`;
}

/** What clients send must not move the cursor or clear the screen of a terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '?');
}
