import { StreamFailure } from './stream-source.js';

export type PlaylistRole = 'variant' | 'segment' | 'key';

interface PlaylistOptions {
  /** Where it was read; relative addresses are joined to it. */
  readonly base: URL;
  /** Whether it may name other playlists. One that a playlist names may not: such a chain could have no end. */
  readonly mayNamePlaylists: boolean;
  /** Of several playlists the smallest with images at least this wide is taken. */
  readonly preferredWidth: number;
  /** The address that ffmpeg is given instead. */
  readonly rename: (address: URL, role: PlaylistRole) => string;
}

export const maxPlaylistBytes = 1024 * 1024;
const maxPlaylistLines = 5000;
const maxAddressLength = 4096;

/** Tags (RFC 8216) that hold no address and that ffmpeg reads. All others are left out. */
const plainTags =
  /^#(EXTM3U|EXTINF|EXT-X-(VERSION|TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY|DISCONTINUITY-SEQUENCE|ENDLIST|PLAYLIST-TYPE|BYTERANGE|PROGRAM-DATE-TIME|INDEPENDENT-SEGMENTS|START))(:|$)/;

/**
 * A playlist of HLS in which every address is one of the relay, and that names one stream: of several the one that fits. Throws a
 * `StreamFailure`: `protocol`, or `refused` for an address that is not of HTTP.
 */
export function rewritePlaylist(text: string, options: PlaylistOptions): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, maxPlaylistLines + 1);
  if (lines.length > maxPlaylistLines) throw broken(`it has more than ${maxPlaylistLines} lines`);
  const trimmed = lines.map((line) => line.trim()).filter((line) => line !== '');
  const variants = findVariants(trimmed);
  if (variants.length > 0) return writeMaster(variants, options);
  return `${trimmed.flatMap((line) => rewriteLine(line, options)).join('\n')}\n`;
}

interface Variant {
  readonly tag: string;
  readonly address: string;
  /** 0 when it is not said. */
  readonly width: number;
  readonly bandwidth: number;
}

function findVariants(lines: readonly string[]): Variant[] {
  // From the end, so that the address behind each tag is known.
  let address: string | undefined;
  const found = lines.toReversed().flatMap((tag) => {
    if (!tag.startsWith('#')) address = tag;
    if (address === undefined || !tag.startsWith('#EXT-X-STREAM-INF:')) return [];
    const [, width = '0'] = /[:,]RESOLUTION=(\d{1,6})x\d/.exec(tag) ?? [];
    const [, bandwidth = '0'] = /[:,]BANDWIDTH=(\d{1,12})/.exec(tag) ?? [];
    return [{ tag, address, width: Number(width), bandwidth: Number(bandwidth) }];
  });
  return found.reverse();
}

function writeMaster(variants: readonly Variant[], options: PlaylistOptions): string {
  if (!options.mayNamePlaylists) throw broken('a playlist that is named by another names further ones');
  const { tag, address, bandwidth } = chooseVariant(variants, options.preferredWidth);
  const codecs = /[:,]CODECS="([\w.,-]{1,200})"/.exec(tag)?.[1];
  const attributes = [`BANDWIDTH=${bandwidth}`, ...(codecs === undefined ? [] : [`CODECS="${codecs}"`])];
  const name = options.rename(resolveAddress(address, options.base), 'variant');
  return `#EXTM3U\n#EXT-X-STREAM-INF:${attributes.join(',')}\n${name}\n`;
}

function chooseVariant(variants: readonly Variant[], preferredWidth: number): Variant {
  // By width; of those of one width the one with more bits.
  const sorted = [...variants].sort((a, b) => a.width - b.width || b.bandwidth - a.bandwidth);
  const found =
    sorted.find(({ width }) => width >= preferredWidth) ?? sorted.findLast(({ width }) => width > 0);
  const chosen = found ?? [...variants].sort((a, b) => b.bandwidth - a.bandwidth)[0];
  if (chosen === undefined) throw broken('it names no stream');
  return chosen;
}

function rewriteLine(line: string, options: PlaylistOptions): string[] {
  const rename = (address: string, role: PlaylistRole) =>
    options.rename(resolveAddress(address, options.base), role);
  if (!line.startsWith('#')) return [rename(line, 'segment')];
  if (plainTags.test(line)) return [line];
  if (line.startsWith('#EXT-X-MAP:')) {
    const range = /[:,]BYTERANGE="([\d@]{1,40})"/.exec(line)?.[1];
    const suffix = range === undefined ? '' : `,BYTERANGE="${range}"`;
    return [`#EXT-X-MAP:URI="${rename(addressIn(line), 'segment')}"${suffix}`];
  }
  if (!line.startsWith('#EXT-X-KEY:')) return [];
  const method = /[:,]METHOD=([A-Z0-9-]{1,30})/.exec(line)?.[1];
  if (method === 'NONE') return ['#EXT-X-KEY:METHOD=NONE'];
  if (method !== 'AES-128') throw broken('it is encrypted in a way that cannot be read');
  const vector = /[:,]IV=(0x[0-9a-fA-F]{1,32})/.exec(line)?.[1];
  const suffix = vector === undefined ? '' : `,IV=${vector}`;
  return [`#EXT-X-KEY:METHOD=AES-128,URI="${rename(addressIn(line), 'key')}"${suffix}`];
}

function addressIn(line: string): string {
  const address = /[:,]URI="([^"]*)"/.exec(line)?.[1];
  if (address === undefined) throw broken('a tag in it lacks its address');
  return address;
}

function resolveAddress(text: string, base: URL): URL {
  if (text.length > maxAddressLength) throw broken('an address in it is too long');
  let address: URL;
  try {
    address = new URL(text, base);
  } catch {
    throw broken('something in it is no address');
  }
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new StreamFailure(
      'refused',
      'the playlist names something that is neither http nor https, which is refused',
    );
  }
  return address;
}

function broken(why: string): StreamFailure {
  return new StreamFailure('protocol', `the playlist cannot be used: ${why}`);
}
