import { ServiceError } from '../core/service-error.js';
import { sealContexts } from '../storage/secrets/sealed-values.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';
import { hideCredentials } from './sources/hide-credentials.js';
import { type NetworkSource, readSource, type SourceSettings } from './sources/parse-source.js';
import type { ShownAddress, ShownSource } from './stream.js';

/** What a stream is opened with, secrets and all. */
export interface WholeSource {
  readonly main: SourceSettings;
  /** A smaller stream of the same camera, which is analysed in place of the first. */
  readonly substream: NetworkSource | null;
}

/** The same as it is kept. */
export interface KeptSource {
  readonly shown: ShownSource;
  /** Null: it was sealed with another key of the installation. */
  readonly whole: WholeSource | null;
}

/** A source as its row has it: addresses are sealed as well, since their paths and queries may be secret. */
interface SourceRow {
  readonly source: string;
  readonly sealed_secrets: string | null;
}

export function toRow(whole: WholeSource, box: SecretBox, uid: string): SourceRow {
  return {
    source: JSON.stringify(showSource(whole)),
    sealed_secrets:
      'url' in whole.main ? box.seal(JSON.stringify(whole), sealContexts.streamSecrets(uid)) : null,
  };
}

/** What of it may be seen, for which nothing is opened. */
export function readShownSource({ source }: Pick<SourceRow, 'source'>): ShownSource {
  // Written by us alone.
  const shown: ShownSource = JSON.parse(source);
  const { address, substream } = shown;
  // Earlier versions took parts of some passwords for host and path.
  return {
    ...shown,
    address: address === null ? null : hideCredentials(address),
    substream: substream && { ...substream, address: hideCredentials(substream.address) },
  };
}

export function fromRow(row: SourceRow, box: SecretBox, uid: string): KeptSource {
  const shown = readShownSource(row);
  if (row.sealed_secrets === null) return { shown, whole: { main: openSource(shown), substream: null } };
  const text = box.open(row.sealed_secrets, sealContexts.streamSecrets(uid));
  if (text === null) return { shown, whole: null };
  const { main, substream }: { main: unknown; substream: unknown } = JSON.parse(text);
  return {
    shown,
    whole: { main: readSource(main), substream: substream === null ? null : networkSource(substream) },
  };
}

/** Throws `conflict` where its secrets were sealed with another key. */
export function requireWhole({ whole }: KeptSource): WholeSource {
  if (whole !== null) return whole;
  throw new ServiceError(
    'conflict',
    'the address of the stream cannot be opened: it was sealed with another key of the installation; send the source again with its password, or let the operator put back the file secret-key of the data folder and restart',
  );
}

/** Of a camera of this machine, or a video. */
function openSource({ kind, device, videoId }: ShownSource): SourceSettings {
  return readSource(kind === 'usb' ? { kind, device } : { kind, videoId: String(videoId) });
}

function networkSource(value: unknown): NetworkSource {
  const source = readSource(value);
  if ('url' in source) return source;
  throw new TypeError(`a source of kind ${source.kind} is no substream`);
}

function showSource({ main, substream }: WholeSource): ShownSource {
  const shown = 'url' in main ? showAddress(main) : noAddress;
  return {
    ...shown,
    kind: main.kind,
    device: main.kind === 'usb' ? main.device : null,
    videoId: main.kind === 'video' ? Number(main.videoId) : null,
    certificateUnchecked: 'url' in main && main.isCertificateUnchecked === true,
    substream: substream && showAddress(substream),
  };
}

const noAddress = { address: null, username: null, hasPassword: false, transport: 'tcp' } as const;

function showAddress(source: NetworkSource): ShownAddress {
  return {
    address: hideCredentials(source.url),
    username: source.username ?? null,
    hasPassword: source.password !== undefined,
    transport: source.kind === 'rtsp' ? (source.transport ?? 'tcp') : 'tcp',
  };
}
