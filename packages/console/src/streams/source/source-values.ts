import type { StreamSource, StreamSourceInput, StreamSourceKind } from '@lynceus/client';

export const sourceKinds: readonly StreamSourceKind[] = ['rtsp', 'rtmp', 'hls', 'mjpeg', 'usb', 'video'];
export type NetworkKind = Exclude<StreamSourceKind, 'usb' | 'video'>;

interface AddressValues {
  readonly address: string;
  readonly username: string;
  /** Empty: as it is stored. */
  readonly password: string;
  readonly transport: 'tcp' | 'udp';
}

/** The values of the form: fields of all kinds, so that changing the kind loses nothing. */
export interface SourceValues extends AddressValues {
  readonly kind: StreamSourceKind;
  readonly device: string;
  /** Its number; null while none is chosen. */
  readonly video: number | null;
  readonly isUnchecked: boolean;
  readonly hasSubstream: boolean;
  readonly substream: AddressValues;
}

const noAddress: AddressValues = { address: '', username: '', password: '', transport: 'tcp' };

export const emptySource: SourceValues = {
  ...noAddress,
  kind: 'rtsp',
  device: '/dev/video0',
  video: null,
  isUnchecked: false,
  hasSubstream: false,
  substream: noAddress,
};

/** The current values. Passwords are empty: the service does not show them. */
export function valuesOf(source: StreamSource): SourceValues {
  const { kind, address, username, transport, device, video_id, certificate_unchecked, substream } = source;
  return {
    kind,
    address: address ?? '',
    username: username ?? '',
    password: '',
    transport,
    device: device ?? emptySource.device,
    video: video_id,
    isUnchecked: certificate_unchecked,
    hasSubstream: substream !== null,
    substream: substream
      ? { ...noAddress, ...substream, username: substream.username ?? '' }
      : { ...noAddress, transport },
  };
}

/** The request to the service: what the kind takes, and no more. */
export function sourceOf(values: SourceValues): StreamSourceInput {
  const { kind } = values;
  if (kind === 'usb') return { kind, device: values.device.trim() };
  if (kind === 'video') return { kind, ...(values.video === null ? {} : { video_id: values.video }) };
  return {
    kind,
    ...addressOf(kind, values),
    ...(values.isUnchecked && isEncrypted(values.address) ? { certificate_unchecked: true } : {}),
    ...(values.hasSubstream ? { substream: addressOf(kind, values.substream) } : {}),
  };
}

function addressOf(kind: NetworkKind, { address, username, password, transport }: AddressValues) {
  return {
    address: address.trim(),
    ...(username.trim() === '' ? {} : { username: username.trim() }),
    ...(password === '' ? {} : { password }),
    ...(kind === 'rtsp' ? { transport } : {}),
  };
}

/** The required fields that are empty. */
export function missingFields(
  values: SourceValues,
): readonly ('address' | 'device' | 'video' | 'substream.address')[] {
  const { kind, substream } = values;
  if (kind === 'usb') return values.device.trim() === '' ? ['device'] : [];
  if (kind === 'video') return values.video === null ? ['video'] : [];
  return [
    ...(values.address.trim() === '' ? (['address'] as const) : []),
    ...(values.hasSubstream && substream.address.trim() === '' ? (['substream.address'] as const) : []),
  ];
}

/** Fields of the form by the names that errors of the service begin with. */
export const sourceFieldNames = {
  'source.address': 'address',
  'source.username': 'username',
  'source.password': 'password',
  'source.device': 'device',
  'source.video_id': 'video',
  'source.substream.address': 'substream.address',
  'source.substream.username': 'substream.username',
  'source.substream.password': 'substream.password',
} as const;

/** Whether there is a certificate to check. */
export function isEncrypted(address: string): boolean {
  return /^\s*(https|rtsps|rtmps):/i.test(address);
}

/** The kind that an address is likely of, where it cannot be of the one that is chosen. */
export function kindOf(address: string, chosen: StreamSourceKind): StreamSourceKind {
  const scheme = /^\s*(\w+):\/\//.exec(address)?.[1]?.toLowerCase() ?? '';
  if (/^rtsps?$/.test(scheme)) return 'rtsp';
  if (/^rtmps?$/.test(scheme)) return 'rtmp';
  if (!/^https?$/.test(scheme)) return chosen;
  if (/\.m3u8\b/i.test(address)) return 'hls';
  return chosen === 'hls' ? chosen : 'mjpeg';
}

/** What becomes of the password of an address that is stored. */
export type PasswordFate = 'none' | 'kept' | 'lost';

/** The service keeps it for the same kind, host and user alone. None: there is none, or another was typed. */
export function fateOfPassword(source: StreamSource, values: SourceValues): PasswordFate {
  return source.kind === values.kind ? fateAt(source, values) : goneWith(source, values);
}

/** The same of the second stream, which has its own. */
export function fateOfSubstreamPassword(source: StreamSource, values: SourceValues): PasswordFate {
  const { substream } = source;
  if (substream === null) return 'none';
  return source.kind === values.kind
    ? fateAt(substream, values.substream)
    : goneWith(substream, values.substream);
}

type StoredAddress = Pick<StreamSource, 'address' | 'username' | 'has_password'>;

function fateAt(stored: StoredAddress, values: AddressValues): PasswordFate {
  const isSame =
    hostOf(stored.address ?? '') === hostOf(values.address.trim()) &&
    (stored.username ?? '') === values.username.trim();
  return isSame && values.password === '' && stored.has_password ? 'kept' : goneWith(stored, values);
}

function goneWith({ has_password }: StoredAddress, { password }: AddressValues): PasswordFate {
  return has_password && password === '' ? 'lost' : 'none';
}

function hostOf(address: string): string {
  const [, scheme = '', authority = ''] = /^(\w+:\/\/)([^/?#]*)/.exec(address) ?? [];
  return `${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}`.toLowerCase();
}
