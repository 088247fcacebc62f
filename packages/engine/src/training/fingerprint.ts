import { createHash } from 'node:crypto';
import type { Model } from '../onnx/proto/model.js';

/** Fingerprint of all weights that features are computed with, independent of their order and names. */
export function fingerprintOf({ model }: { readonly model: Model }): string {
  const parts = (model.graph.initializer ?? [])
    .map(({ rawData = new Uint8Array() }) => createHash('sha256').update(rawData).digest('hex'))
    .sort();
  return createHash('sha256').update(parts.join()).digest('hex');
}
