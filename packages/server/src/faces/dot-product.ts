/** Of two vectors of unit length, as those of faces are, it is their cosine: -1 to 1. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
