import type { ModelRef } from '../../catalog/manifest.js';
import type { LoadedModel } from '../../tasks/task.js';
import { modelKey } from '../messages.js';

/** A model in memory with its size and the function that unloads it. */
export interface OpenModel {
  readonly model: LoadedModel;
  /** Bytes of its file, a measure of its memory. */
  readonly bytes: number;
  close(): Promise<void>;
}

interface ModelCacheOptions {
  readonly maxModels: number;
  readonly maxBytes: number;
  readonly open: (ref: ModelRef) => Promise<OpenModel>;
}

/** The models of one process, the least recently used first. Jobs come one at a time, and so do loads. */
export class ModelCache {
  readonly #options: ModelCacheOptions;
  readonly #open = new Map<string, OpenModel>();

  constructor(options: ModelCacheOptions) {
    this.#options = options;
  }

  keys(): string[] {
    return [...this.#open.keys()];
  }

  /**
   * Returns the model, loaded if necessary; then the least recently used ones are unloaded. `inUse` has the keys of models
   * that must stay even above the limits.
   */
  async load(ref: ModelRef, inUse: ReadonlySet<string>): Promise<LoadedModel> {
    const key = modelKey(ref);
    const held = this.#open.get(key);
    const entry = held ?? (await this.#options.open(ref));
    this.#open.delete(key);
    this.#open.set(key, entry);
    if (!held) await this.#evict(new Set([...inUse, key]));
    return entry.model;
  }

  async #evict(inUse: ReadonlySet<string>): Promise<void> {
    const { maxModels, maxBytes } = this.#options;
    for (const [key, entry] of this.#open) {
      const bytes = [...this.#open.values()].reduce((sum, open) => sum + open.bytes, 0);
      if (this.#open.size <= maxModels && bytes <= maxBytes) return;
      if (inUse.has(key)) continue;
      this.#open.delete(key);
      await entry.close();
    }
  }
}
