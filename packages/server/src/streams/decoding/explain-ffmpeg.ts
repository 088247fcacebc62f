import { StreamFailure, type StreamFailureCode } from '../sources/stream-source.js';

type Rule = readonly [pattern: RegExp, code: StreamFailureCode, text: string];

/** By what ffmpeg logs; the first that fits. */
const rules: readonly Rule[] = [
  [/No such file or directory/, 'not-found', 'the file or device is not there'],
  [/Permission denied/, 'settings', 'the service may not read the file or device; check its permissions'],
  [/Device or resource busy/, 'unreachable', 'the device is used by another program'],
  [
    /not on whitelist|whitelist does not contain|not in allowed_extensions/i,
    'refused',
    'it names something else to be read, which is refused',
  ],
  [
    /Picture size \d+x\d+ is invalid|picture size invalid|exceeds specified max pixel count/,
    'no-video',
    'its pictures are larger than the service decodes',
  ],
  [
    /Cannot allocate memory|failed to map segment|Out of memory|Resource temporarily unavailable/,
    'decoder',
    'decoding it takes more memory than the service allows ffmpeg',
  ],
  [
    /no decoder found|Decoder \(codec [^)]*\) not found|Unknown decoder|Unsupported codec|decoder not found/i,
    'no-video',
    'this ffmpeg cannot decode its video codec',
  ],
  [/matches no streams|does not contain any stream|no video stream/i, 'no-video', 'there is no video in it'],
  [/401 Unauthorized|authorization failed/i, 'credentials', 'user name or password are wrong or missing'],
  [
    /404 Not Found|Stream not found|NetStream\.Play\.StreamNotFound/i,
    'not-found',
    'there is no stream at this address; check its path',
  ],
  [/Connection refused/, 'unreachable', 'the connection is refused; check host and port'],
  [/Connection timed out|Operation timed out/, 'timeout', 'nothing came in time'],
  [
    /moov atom not found|Invalid data found|could not find codec parameters|Invalid NAL|error while decoding/i,
    'protocol',
    'what it sends is no video that ffmpeg understands, or it is damaged',
  ],
  [
    /Server returned|Input\/output error|End of file|Connection reset/i,
    'unreachable',
    'the connection ended',
  ],
];

/** What lines of ffmpeg's log say, or null when none is known. */
export function explainLines(lines: readonly string[]): StreamFailure | null {
  const text = lines.join('\n');
  const rule = rules.find(([pattern]) => pattern.test(text));
  return rule === undefined ? null : new StreamFailure(rule[1], rule[2]);
}

/** Why ffmpeg ended, by its last lines and its exit code. */
export function explainFfmpeg(lines: readonly string[], exitCode: number | null): StreamFailure {
  const known = explainLines(lines);
  if (known !== null) return known;
  if (exitCode === null || exitCode === 126 || exitCode === 127)
    return new StreamFailure('decoder', 'ffmpeg could not be started');
  if (exitCode === 137)
    return new StreamFailure('decoder', 'ffmpeg was killed, perhaps because memory ran out');
  const last = lines.at(-1);
  const said = last === undefined ? '' : `: ${last.slice(0, 200)}`;
  return new StreamFailure('decoder', `ffmpeg ended with exit code ${exitCode}${said}`);
}

/** A line without addresses and secrets; what a remote server says may be in it. */
export function maskLine(line: string, secrets: readonly string[]): string {
  const noAddresses = line
    .replace(/^(\[[^\]]*\] )+/, '')
    .replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"]+/gi, '(address)')
    .replace(/\s+/g, ' ')
    .trim();
  return secrets
    .filter(({ length }) => length > 2)
    .reduce((text, secret) => text.replaceAll(secret, '***'), noAddresses);
}
