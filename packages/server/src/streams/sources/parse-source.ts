import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { oneLine } from '../../core/one-line.js';
import { type SourceKind, StreamFailure } from './stream-source.js';

const strict = { additionalProperties: false };
const shortText = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: oneLine, description });

const address = shortText(2000, 'the address of a stream, such as rtsp://192.168.1.20/stream1');
const credentials = {
  username: Type.Optional(shortText(200, 'a user name of at most 200 characters')),
  password: Type.Optional(shortText(200, 'a password of at most 200 characters')),
  isCertificateUnchecked: Type.Optional(
    Type.Boolean({ description: 'true for a camera whose certificate signs itself: it is not checked then' }),
  ),
};

/** A source as it is stored and sent: user name and password may be in the address, `parseSource` splits them off. */
export const SourceSettings = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('rtsp'),
      url: address,
      transport: Type.Optional(
        Type.Union([Type.Literal('tcp'), Type.Literal('udp')], { description: 'tcp (the default) or udp' }),
      ),
      ...credentials,
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('rtmp'), url: address, ...credentials }, strict),
  Type.Object({ kind: Type.Literal('hls'), url: address, ...credentials }, strict),
  Type.Object({ kind: Type.Literal('mjpeg'), url: address, ...credentials }, strict),
  Type.Object(
    {
      kind: Type.Literal('usb'),
      device: Type.String({
        maxLength: 200,
        pattern: '^/dev(/[A-Za-z0-9_:-][A-Za-z0-9._:-]*)+$',
        description:
          'the path of a video device that the operator allows (streamDevices), such as /dev/video0',
      }),
    },
    strict,
  ),
  Type.Object(
    {
      kind: Type.Literal('video'),
      videoId: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$', description: 'the id of an uploaded video' }),
    },
    strict,
  ),
]);
export type SourceSettings = Static<typeof SourceSettings>;
export type NetworkSource = Extract<SourceSettings, { readonly url: string }>;

const schemes: Readonly<Record<Exclude<SourceKind, 'usb' | 'video'>, readonly string[]>> = {
  rtsp: ['rtsp', 'rtsps'],
  rtmp: ['rtmp', 'rtmps'],
  hls: ['http', 'https'],
  mjpeg: ['http', 'https'],
};
const defaultPorts: Readonly<Record<string, number>> = {
  rtsp: 554,
  rtsps: 322,
  rtmp: 1935,
  rtmps: 443,
  http: 80,
  https: 443,
};

/** Settings of a source as it was kept, which earlier versions may have accepted. Throws `StreamFailure` `settings`. */
export function readSource(kept: unknown): SourceSettings {
  if (!Value.Check(SourceSettings, kept)) {
    throw new StreamFailure(
      'settings',
      'the source must have a kind, and the address, device or video that belongs to it',
    );
  }
  return kept;
}

/** Settings of a source with user name and password moved out of its address. Throws `StreamFailure` `settings`. */
export function parseSource(input: unknown): SourceSettings {
  const source = readSource(input);
  if (!('url' in source)) return source;
  const { url, username, password } = splitAddress(source.kind, source.url);
  return {
    ...source,
    url,
    ...(username !== '' && source.username === undefined && { username }),
    ...(password !== '' && source.password === undefined && { password }),
  };
}

interface SplitAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

function splitAddress(kind: NetworkSource['kind'], text: string): SplitAddress {
  const scheme = /^([a-z]+):\/\//i.exec(text.trim())?.[1]?.toLowerCase() ?? '';
  if (!schemes[kind].includes(scheme)) {
    throw new StreamFailure(
      'settings',
      `the address of a source of kind ${kind} must begin with ${schemes[kind].map((each) => `${each}://`).join(' or ')}`,
    );
  }
  const found = wellFormed.exec(text.trim());
  if (found === null) throw new StreamFailure('settings', notEncoded);
  const [, userInfo = '', rest = ''] = found;
  const url = `${scheme}://${rest}`;
  // Sources of HTTP are opened by a URL, which takes fewer hosts: http://999.1.1.1/ is none.
  if (streamAddress(url) === null || (scheme.startsWith('http') && !URL.canParse(url)))
    throw new StreamFailure('settings', 'the address of the source has no valid host or port');
  const colon = userInfo.indexOf(':');
  return {
    url,
    username: decode(colon < 0 ? userInfo : userInfo.slice(0, colon)),
    password: colon < 0 ? '' : decode(userInfo.slice(colon + 1)),
  };
}

export const notEncoded =
  'user name and password in an address must be percent-encoded (@ is %40, / is %2F, # is %23), and so must an @ in its path or query';

/**
 * Whether what is a user name, password and host in an address with a scheme is beyond doubt. Of a password with `@`, `/`, `#` or `?`
 * as they are, a part would be taken for host or path, and shown.
 */
export function isWellFormed(address: string): boolean {
  return wellFormed.test(address);
}

/** RFC 3986, section 3.2.1, for user and password; of the rest, that it has no `@` which could be the end of a password. */
const wellFormed = /^[a-z][a-z0-9+.-]*:\/\/(?:((?:[a-z0-9._~!$&'()*+,;=:-]|%[0-9a-f]{2})*)@)?([^@\\]*)$/i;

export interface StreamAddress {
  readonly scheme: string;
  readonly isTls: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** From the first slash on, with the query; at least `/`. */
  readonly path: string;
}

/** The parts of an address without user, or null when it is none. Kept as they were sent: cameras compare paths by the byte. */
export function streamAddress(url: string): StreamAddress | null {
  const found =
    /^([a-z]+):\/\/(\[[0-9a-f:.]+\]|[a-z0-9_.-]{1,253})(?::(\d{1,5}))?([/?][^\s#]*)?(?:#.*)?$/i.exec(url);
  if (found === null) return null;
  const [, given = '', host = '', portText, path = '/'] = found;
  const scheme = given.toLowerCase();
  const usual = defaultPorts[scheme];
  const port = portText === undefined ? usual : Number(portText);
  if (usual === undefined || port === undefined || port < 1 || port > 65_535 || /\p{Cc}/u.test(path))
    return null;
  return {
    scheme,
    isTls: scheme.endsWith('s'),
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port,
    path: path.startsWith('/') ? path : `/${path}`,
  };
}

/** Host and port as they stand in an address. */
export function authorityOf({ scheme, host, port }: StreamAddress): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === defaultPorts[scheme] ? name : `${name}:${port}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
