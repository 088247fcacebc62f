import { ServiceError } from '../core/service-error.js';
import type { KeptSource, WholeSource } from './source-rows.js';
import { hiddenCredential } from './sources/hide-credentials.js';
import {
  authorityOf,
  type NetworkSource,
  notEncoded,
  parseSource,
  type SourceSettings,
  streamAddress,
} from './sources/parse-source.js';
import { StreamFailure } from './sources/stream-source.js';
import type { ShownAddress, SourceInput } from './stream.js';

/**
 * A source in the place of another. A password that was kept is kept on only where it goes to the same host and user: else
 * whoever may change the address could have it sent to himself. An address as it is shown stands for the one that is kept.
 * Throws `wrong_parameters`, naming the field.
 */
export function replaceSource(old: KeptSource | null, wanted: SourceInput): WholeSource {
  refuseForeignFields(wanted);
  const { kind, substream } = wanted;
  if (kind === 'usb') return alone(parse('source.device', { kind, device: required('device', wanted) }));
  if (kind === 'video')
    return alone(parse('source.video_id', { kind, videoId: String(required('videoId', wanted)) }));
  const common = { kind, isCertificateUnchecked: wanted.certificateUnchecked === true };
  const { main: oldMain = null, substream: oldSubstream = null } = old?.whole ?? {};
  const main = replaceAddress('source', common, { ...wanted, address: required('address', wanted) }, [
    addressOf(old?.shown),
    oldMain,
  ]);
  return {
    main,
    substream: substream
      ? replaceAddress('source.substream', common, substream, [old?.shown.substream ?? null, oldSubstream])
      : null,
  };
}

/**
 * The substream as it is opened: without credentials of its own it has those of the stream, at the same host.
 */
export function withSharedCredentials({ main, substream }: WholeSource): WholeSource {
  if (
    !substream ||
    !('url' in main) ||
    substream.username !== undefined ||
    hostOf(main) !== hostOf(substream)
  )
    return { main, substream };
  const { username, password } = main;
  return {
    main,
    substream: {
      ...substream,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    },
  };
}

type AddressInput = NonNullable<SourceInput['substream']>;
type Kept = readonly [shown: ShownAddress | null, whole: SourceSettings | null];

function replaceAddress(
  field: string,
  common: { readonly kind: NetworkSource['kind']; readonly isCertificateUnchecked: boolean },
  { address, username, password, transport }: AddressInput,
  [oldShown, old]: Kept,
): NetworkSource {
  const oldSource = old && 'url' in old ? old : null;
  const isShown = oldSource !== null && address === oldShown?.address;
  if (!isShown && address.includes(hiddenCredential)) {
    throw new ServiceError(
      'wrong_parameters',
      `${field}.address has hidden values (${hiddenCredential}) that are not known: send them as they are`,
    );
  }
  const source = parse(`${field}.address`, {
    ...common,
    url: isShown ? oldSource.url : address,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(common.kind === 'rtsp' && transport ? { transport } : {}),
  });
  if (!('url' in source)) throw new TypeError('a source with an address stays one');
  const isKept = password === undefined && oldSource !== null && reachOf(oldSource) === reachOf(source);
  const kept = isKept ? oldSource.password : undefined;
  return kept === undefined || source.password !== undefined ? source : { ...source, password: kept };
}

/** Who gets the password. */
function reachOf(source: NetworkSource): string {
  return [source.kind, hostOf(source), source.username ?? ''].join(' ');
}

function hostOf({ url }: NetworkSource): string {
  const address = streamAddress(url);
  return address ? `${address.scheme}://${authorityOf(address)}` : url;
}

function addressOf(shown: KeptSource['shown'] | undefined): ShownAddress | null {
  return shown && shown.address !== null ? { ...shown, address: shown.address } : null;
}

const alone = (main: SourceSettings): WholeSource => ({ main, substream: null });

function parse(field: string, source: unknown): SourceSettings {
  try {
    return parseSource(source);
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    const within = field.replace(/\.[a-z_]+$/, '');
    const advice =
      error.message === notEncoded
        ? `; or send them as they are, as ${within}.username and ${within}.password`
        : '';
    throw new ServiceError('wrong_parameters', `${field}: ${error.message}${advice}`, { cause: error });
  }
}

const names = { address: 'address', device: 'device', videoId: 'video_id' } as const;

function required<Name extends keyof typeof names>(
  name: Name,
  input: SourceInput,
): NonNullable<SourceInput[Name]> {
  const value = input[name];
  if (value !== undefined && value !== null) return value;
  throw new ServiceError(
    'wrong_parameters',
    `source.${names[name]} must be given for a source of the kind ${input.kind}`,
  );
}

/** Throws `wrong_parameters` for what another kind takes. */
function refuseForeignFields(source: SourceInput): void {
  const { kind } = source;
  const isNetwork = kind !== 'usb' && kind !== 'video';
  const taken: readonly (readonly [field: string, isGiven: boolean, isTaken: boolean])[] = [
    ['address', Boolean(source.address), isNetwork],
    ['username', Boolean(source.username), isNetwork],
    ['password', Boolean(source.password), isNetwork],
    ['certificate_unchecked', source.certificateUnchecked === true, isNetwork],
    ['substream', Boolean(source.substream), isNetwork],
    ['transport', source.transport === 'udp', kind === 'rtsp'],
    ['device', Boolean(source.device), kind === 'usb'],
    ['video_id', Boolean(source.videoId), kind === 'video'],
  ];
  for (const [field, isGiven, isTaken] of taken) {
    if (isGiven && !isTaken)
      throw new ServiceError(
        'wrong_parameters',
        `source.${field} has no use for the kind ${kind}: leave it out`,
      );
  }
}
