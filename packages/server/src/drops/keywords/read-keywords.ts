import type { Exiftool } from './exiftool.js';
import { readTags } from './read-tags.js';
import type { StoredKeywords } from './unite-keywords.js';

/** What a file holds of keywords, and what is to be known before they are written. */
export interface KeywordState extends StoredKeywords {
  /** exiftool's name of the format. */
  readonly fileType: string | null;
  /** Whether two blocks of XMP hold keywords. */
  readonly hasSecondXmp: boolean;
  /** SHA-256 of the encoded image data without any metadata; null where it was not asked for, and where exiftool makes none. */
  readonly imageHash: string | null;
  /** How IPTC is encoded that does not say UTF-8 and is not plain ASCII; null when it needs no conversion. */
  readonly foreignCharset: IptcCharset | null;
  /** Whether the digest beside the IPTC fits it, which programs take for: XMP is no older than IPTC. */
  readonly hasDigest: boolean;
}

/** exiftool's names: `Latin` is Windows-1252. */
export type IptcCharset = 'Latin' | 'UTF8';

const secondSubject = /^XMP-dc:Copy\d+:Subject$/;
const wanted = [
  ...['-charset', 'iptc=Latin'],
  ...['-IPTC:all', '-XMP-dc:Subject', '-Photoshop:IPTCDigest', '-File:CurrentIPTCDigest'],
  '-File:FileType',
];
const hash = ['-api', 'ImageHashType=SHA256', '-ImageDataHash'];

/** Throws `KeywordError` 'damaged' or 'too-large', and as `Exiftool.run`. */
export async function readKeywords(
  exiftool: Exiftool,
  path: string,
  withHash: boolean,
  signal: AbortSignal,
): Promise<KeywordState> {
  const tags = await readTags(exiftool, path, withHash ? [...wanted, ...hash] : wanted, signal);
  const digest = tags.first('Photoshop:IPTCDigest');
  const foreignCharset =
    tags.first('IPTC:CodedCharacterSet') === 'UTF8' ? null : findCharset(tags.values(/^IPTC\d*:/));
  const iptc = tags.values(/^IPTC\d*:Keywords$/);
  return {
    iptc: foreignCharset === 'UTF8' ? iptc.map((text) => asUtf8(text) ?? text) : iptc,
    xmp: tags.values(/^XMP-dc:(Copy\d+:)?Subject$/),
    hasSecondXmp: tags.values(secondSubject).length > 0,
    fileType: tags.first('File:FileType') ?? null,
    imageHash: tags.values(/:ImageDataHash$/)[0] ?? null,
    foreignCharset,
    hasDigest: digest !== undefined && digest === tags.first('File:CurrentIPTCDigest'),
  };
}

/** Many programs write UTF-8 without saying so: what reads as UTF-8 is, for other text hardly ever does. */
function findCharset(texts: readonly string[]): IptcCharset | null {
  const foreign = texts.filter((text) => /[^\0-\x7f]/.test(text));
  if (foreign.length === 0) return null;
  return foreign.every((text) => asUtf8(text) !== undefined) ? 'UTF8' : 'Latin';
}

/** The text whose bytes were read as Windows-1252; undefined when they are no UTF-8. */
function asUtf8(text: string): string | undefined {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code < 0x80 || (code >= 0xa0 && code < 0x100) ? code : upperBytes.get(code);
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * What the bytes from 80 to 9F stand for; the others are as in Latin-1. `TextDecoder` reads this encoding as Latin-1 in
 * Node 20. The five that stand for nothing are kept as they are.
 */
const upperControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const upperBytes: ReadonlyMap<number, number> = new Map(
  [...upperControls].map((character, index) => [character.charCodeAt(0), 0x80 + index]),
);
