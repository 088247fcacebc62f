/** What is said on the control connection: a code of three digits and one line of text, or several. */
export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

export function reply(code: number, ...lines: readonly string[]): Reply {
  return { code, lines };
}

/**
 * RFC 959, 4.2: `CODE text`, or `CODE-first`, indented lines between, `CODE last`. The indent keeps a line that begins with
 * digits from being taken for the last.
 */
export function writeReply({ code, lines }: Reply): string {
  const clean = lines.map(toOneLine);
  const last = clean.at(-1) ?? '';
  if (clean.length < 2) return `${code} ${last}\r\n`;
  const [first = '', ...between] = clean.slice(0, -1);
  return [`${code}-${first}`, ...between.map((line) => ` ${line}`), `${code} ${last}`, ''].join('\r\n');
}

/** Names of others stand in replies: none of them may end the line, or write another one. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
}
