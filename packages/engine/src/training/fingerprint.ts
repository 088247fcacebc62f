import { createHash } from 'node:crypto';
import type { Model } from '../onnx/proto/model.js';

/** Scales, zero points and shapes: importers write the same ones in several forms. */
const maxSmallBytes = 64;

/**
 * Fingerprint of all weights that features are computed with, independent of their order and names, and of small constants. It
 * is the same for conversions of one source that compute the same.
 */
export function fingerprintOf({ model }: { readonly model: Model }): string {
  const parts = (model.graph.initializer ?? [])
    .map(({ rawData = new Uint8Array() }) => rawData)
    .filter(({ length }) => length > maxSmallBytes)
    .map((rawData) => createHash('sha256').update(rawData).digest('hex'))
    .sort();
  return createHash('sha256').update(parts.join()).digest('hex');
}
