/**
 * Base64 text as clients send it: either alphabet, with or without padding, line breaks and a leading
 * `data:…;base64,`.
 */

const alphabet = /^[A-Za-z0-9+/_-]*={0,2}$/;
const dataUrl = /^\s*data:[^,]{0,256};base64,/i;

/** The bytes; undefined when the text is not base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const prefix = dataUrl.exec(text.slice(0, 512))?.[0].length ?? 0;
  const body = prefix === 0 ? text : text.slice(prefix);
  const bytes = Buffer.from(body, 'base64');
  // Buffer.from passes over what is not base64, so a full count of bytes says that every character was: the common
  // case costs no second pass over the text.
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0;
  const digits = body.length - padding;
  if (digits % 4 !== 1 && bytes.byteLength === Math.floor((digits * 3) / 4)) return bytes;
  const packed = body.replace(/\s+/g, '');
  if (!alphabet.test(packed) || packed.replace(/=+$/, '').length % 4 === 1) return undefined;
  return bytes;
}

/** Whether a form field's first bytes look like base64 text; those of every kind of picture hold some that do not. */
export function looksLikeBase64(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return dataUrl.test(text) || /^\s*data:/i.test(text) || /^[A-Za-z0-9+/=_\s-]+$/.test(text);
}
