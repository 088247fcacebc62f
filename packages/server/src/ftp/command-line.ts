export interface CommandLine {
  /** In capitals. */
  readonly verb: string;
  /** What stands behind the one space after it, as it came; empty when nothing does. */
  readonly argument: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A line as a command; null when it cannot be one. An argument that is not UTF-8 (RFC 2640) is read as Latin-1: older cameras and
 * clients send their names so, and get the same name for the same bytes each time.
 */
export function parseCommandLine(bytes: Buffer): CommandLine | null {
  const match = /^ *([A-Za-z]{3,4})(?: ([\s\S]*))?$/.exec(bytes.toString('latin1'));
  if (!match) return null;
  const [, verb = '', argument = ''] = match;
  return { verb: verb.toUpperCase(), argument: decode(Buffer.from(argument, 'latin1')) };
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}
