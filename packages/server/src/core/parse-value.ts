import type { TSchema } from 'typebox';

const byteUnits: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/**
 * Reads a setting written as text, strictly: what is not wholly understood stays the text it was, and the schema's
 * check then names it. Settings named `…Bytes` may carry a unit, as in `25MiB` or `1.5 GB`.
 */
export function parseSettingText(name: string, schema: TSchema, text: string): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'boolean') {
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    return text;
  }
  if (type === 'integer' || type === 'number') {
    if (name.endsWith('Bytes')) return parseByteSize(text) ?? text;
    return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  }
  return text;
}

/** Whole bytes of `1024`, `25MiB`, `1.5 GB`; null when the text is none of these. */
export function parseByteSize(text: string): number | null {
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]*)$/i.exec(text);
  const unit = byteUnits[match?.[2]?.toLowerCase() ?? ''];
  if (!match || unit === undefined) return null;
  const bytes = Number(match[1]) * unit;
  return Number.isSafeInteger(bytes) ? bytes : null;
}
