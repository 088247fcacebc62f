import { isUtf8 } from 'node:buffer';
import type { Exiftool } from './exiftool.js';
import { type DecodedText, findIptcEncoding, type IptcEncoding } from './iptc-encoding.js';
import { readTags, type Tags } from './read-tags.js';
import type { StoredKeywords } from './unite-keywords.js';

/** What a file holds of keywords, and what is to be known before they are written. */
export interface KeywordState extends StoredKeywords {
  /** exiftool's name of the format. */
  readonly fileType: string | null;
  /** Those of `xmp` that every block of XMP with keywords holds: of two blocks programs read one, and not all the same. */
  readonly xmpOfAll: readonly string[];
  /** Whether two blocks of XMP hold keywords. */
  readonly hasSecondXmp: boolean;
  /** SHA-256 of the encoded image data without any metadata; null where it was not asked for, and where exiftool makes none. */
  readonly imageHash: string | null;
  readonly encoding: IptcEncoding;
  /** Whether the digest beside the IPTC fits it, which programs take for: XMP is no older than IPTC. */
  readonly hasDigest: boolean;
}

const subject = /^XMP-dc:(Copy\d+:)?Subject$/;
/** Of blocks of IPTC, a file may have several, of which the trailer of AFCP is one. */
const block = /^(IPTC\d*:(?:Copy\d+:)?)(.+)$/;
/** Texts that programs copy between IPTC and XMP. */
const evidence =
  /^XMP-(dc:(Copy\d+:)?(Subject|Description|Title|Creator)|photoshop:(City|State|Country|Headline|Credit))$/;
const wanted = [
  // Texts of IPTC as their bytes: those that are no UTF-8 come as base64.
  ...['-b', '-charset', 'iptc=UTF8', '-IPTC:all', '--IPTC:ObjectPreviewData'],
  ...['-XMP-dc:Subject', '-XMP-dc:Description', '-XMP-dc:Title', '-XMP-dc:Creator', '-XMP-photoshop:City'],
  ...['-XMP-photoshop:State', '-XMP-photoshop:Country', '-XMP-photoshop:Headline', '-XMP-photoshop:Credit'],
  ...['-Photoshop:IPTCDigest', '-File:CurrentIPTCDigest', '-File:FileType'],
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
  const { keywords, encoding } = readIptc(tags);
  const subjects = tags.entries(subject);
  const blocks = [...new Set(subjects.map(([name]) => name))].map(
    (block) => new Set(subjects.filter(([name]) => name === block).map(([, text]) => text)),
  );
  const xmp = subjects.map(([, text]) => text);
  return {
    iptc: keywords.map(({ text }) => text),
    guesses: new Set(keywords.filter(({ isGuess }) => isGuess).map(({ text }) => text)),
    xmp,
    xmpOfAll: xmp.filter((text) => blocks.every((held) => held.has(text))),
    hasSecondXmp: blocks.length > 1,
    fileType: tags.first('File:FileType') ?? null,
    imageHash: tags.values(/:ImageDataHash$/)[0] ?? null,
    encoding,
    hasDigest: digest !== undefined && digest === tags.first('File:CurrentIPTCDigest'),
  };
}

function readIptc(tags: Tags): {
  readonly keywords: readonly DecodedText[];
  readonly encoding: IptcEncoding;
} {
  const entries = tags.entries(block).map(([name, text]) => {
    const [, prefix = '', tag = ''] = block.exec(name) ?? [];
    return { prefix, tag, text };
  });
  const marks = entries.filter(({ tag }) => tag === 'CodedCharacterSet');
  // Wherever in its block the mark stands: some programs write it behind the texts.
  const marked = new Set(marks.filter(({ text }) => text === 'UTF8').map(({ prefix }) => prefix));
  const declared = marks.map(({ text }) => text).filter((text) => text !== 'UTF8');
  const texts = entries
    .filter(({ tag }) => tag !== 'CodedCharacterSet')
    .map(({ prefix, tag, text }) => ({ tag, bytes: bytesOf(text), isMarkedUtf8: marked.has(prefix) }));
  const encoding = findIptcEncoding(texts, declared, tags.values(evidence));
  return {
    keywords: texts.filter(({ tag }) => tag === 'Keywords').map((text) => encoding.decode(text)),
    encoding,
  };
}

/** exiftool shows bytes that are no UTF-8 as base64; a text that only begins like that is UTF-8 when it is decoded. */
function bytesOf(text: string): Buffer {
  const [, base64] = /^base64:([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined) return Buffer.from(text);
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? Buffer.from(text) : bytes;
}
