import type { Products } from '../products.js';
import { type AnchorSample, cellFeatures, locationOf, ownLogits } from './anchor-sample.js';
import type { DetectorBackbone } from './cut-detector.js';

/** Training rows of one level of the backbone. */
export interface LevelRows {
  /** [rows, dims] */
  readonly features: Float32Array;
  /** [rows, classes] of the backbone itself. */
  readonly logits: Float32Array;
  /** Which of the cell's anchors. */
  readonly anchors: Uint8Array;
  /** 1 where the anchor shows the label, else 0. */
  readonly targets: Uint8Array;
  /** Weight of each row. */
  readonly weights: Float32Array;
}

interface RowSource {
  readonly sample: AnchorSample;
  readonly indexes: readonly number[];
  readonly target: 0 | 1;
  readonly weight: number;
}

interface Row {
  readonly features: Float32Array;
  readonly logits: Float32Array;
  readonly anchor: number;
}

interface StoredRow extends Row {
  readonly target: 0 | 1;
  weight: number;
}

/** Collects anchors of many images, whose features can be released meanwhile. */
export class RowCollector {
  readonly #backbone: DetectorBackbone;
  readonly #products: Products;
  readonly #levels: StoredRow[][];

  constructor(backbone: DetectorBackbone, products: Products) {
    this.#backbone = backbone;
    this.#products = products;
    this.#levels = backbone.levels.map(() => []);
  }

  async add({ sample, indexes, target, weight }: RowSource): Promise<void> {
    const own = await ownLogits(this.#backbone, sample, indexes, this.#products);
    for (const index of indexes) {
      const location = locationOf(this.#backbone, sample, index);
      const view = cellFeatures(this.#backbone, sample, location);
      // A sample that many heads are trained on stays in memory anyway.
      const features = sample.ownLogits ? view : view.slice();
      const logits = own.get(index);
      if (!logits) throw new Error(`anchor ${index} has no logits of the backbone`);
      this.#levels[location.level]?.push({ features, logits, anchor: location.anchor, target, weight });
    }
  }

  /** @param share Total weight of the positive rows, and of the negative ones. */
  levels(share: { readonly positive: number; readonly negative: number }): LevelRows[] {
    const sums = [0, 0];
    for (const { target, weight } of this.#levels.flat()) sums[target] = (sums[target] ?? 0) + weight;
    const factors = [share.negative / (sums[0] || 1), share.positive / (sums[1] || 1)];
    return this.#levels.map((rows, level) => {
      const dims = this.#backbone.levels[level]?.dims ?? 0;
      return {
        features: joined(
          rows.map(({ features }) => features),
          dims,
        ),
        logits: joined(
          rows.map(({ logits }) => logits),
          this.#backbone.classes,
        ),
        anchors: Uint8Array.from(rows, ({ anchor }) => anchor),
        targets: Uint8Array.from(rows, ({ target }) => target),
        weights: Float32Array.from(rows, ({ target, weight }) => weight * (factors[target] ?? 1)),
      };
    });
  }
}

function joined(rows: readonly Float32Array[], dims: number): Float32Array {
  const all = new Float32Array(rows.length * dims);
  for (const [index, row] of rows.entries()) all.set(row, index * dims);
  return all;
}
