import { EngineError } from '../errors.js';

/** Maximum length before the comma of a data address; more than this is no image. */
const maxDataPrefixChars = 256;

/**
 * Decodes base64 as clients send it: either alphabet (RFC 4648 sections 4 and 5), with or without padding, with
 * white space anywhere, with or without a leading `data:…;base64,`. Anything else is 'base64-invalid'.
 */
export function decodeBase64(text: string): Buffer {
  const start = payloadStart(text);
  const bytes = Buffer.from(start === 0 ? text : text.slice(start), 'base64');
  // Node's decoder skips invalid characters, so a text is valid when every character gave its six bits.
  const { symbols, foreign } = countSymbols(text, start);
  if (foreign || symbols % 4 === 1 || bytes.length !== Math.floor((symbols * 3) / 4)) {
    throw new EngineError(
      'base64-invalid',
      'the text is not base64: it holds other characters or is cut short',
    );
  }
  return bytes;
}

function payloadStart(text: string): number {
  const prefix = /^\s*data:/i.exec(text.slice(0, maxDataPrefixChars));
  if (!prefix) return 0;
  const comma = text.slice(0, maxDataPrefixChars).indexOf(',');
  if (comma >= 0 && /;base64$/i.test(text.slice(0, comma).trimEnd())) return comma + 1;
  throw new EngineError(
    'base64-invalid',
    'a data address must read data:image/…;base64, before its base64 text',
  );
}

/** Counts the characters that carry bits; `foreign` when there is any other than those, space and padding. */
function countSymbols(text: string, start: number): { symbols: number; foreign: boolean } {
  let symbols = 0;
  let padding = 0;
  for (let at = start; at < text.length; at += 1) {
    const kind = charKinds[text.charCodeAt(at)];
    if (kind === symbolKind) {
      if (padding > 0) return { symbols, foreign: true };
      symbols += 1;
    } else if (kind === paddingKind) padding += 1;
    else if (kind !== spaceKind) return { symbols, foreign: true };
  }
  return { symbols, foreign: padding > 2 || (padding > 0 && (symbols + padding) % 4 !== 0) };
}

const symbolKind = 1;
const paddingKind = 2;
const spaceKind = 3;
const charKinds = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  charKinds[char.charCodeAt(0)] = symbolKind;
}
charKinds['='.charCodeAt(0)] = paddingKind;
for (const char of ' \t\r\n\f\v') charKinds[char.charCodeAt(0)] = spaceKind;
