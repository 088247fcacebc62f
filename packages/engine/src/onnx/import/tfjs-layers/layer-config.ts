import { ImportError } from '../../import-error.js';

/** A layer's configuration: unknown JSON, read value by value. */
export class LayerConfig {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(config: unknown) {
    this.#values = config !== null && typeof config === 'object' ? { ...config } : {};
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== null;
  }

  number(name: string, absent: number): number {
    const value = this.#values[name] ?? absent;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw new ImportError(`its ${name} must be a number`);
  }

  text(name: string, absent: string): string {
    const value = this.#values[name] ?? absent;
    if (typeof value === 'string') return value;
    throw new ImportError(`its ${name} must be a text`);
  }

  flag(name: string, absent: boolean): boolean {
    const value = this.#values[name] ?? absent;
    if (typeof value === 'boolean') return value;
    throw new ImportError(`its ${name} must be true or false`);
  }

  /** Numbers, of one list or of lists in a list. */
  numbers(name: string): number[] {
    const value = this.#values[name];
    const list = Array.isArray(value) ? value.flat(2) : [value];
    if (list.length <= 16 && list.every((item): item is number => Number.isInteger(item))) return list;
    throw new ImportError(`its ${name} must be whole numbers`);
  }

  /** Height and width, a single number being both. */
  pair(name: string, absent: number): [number, number] {
    const [height = absent, width = height] = this.has(name) ? this.numbers(name) : [absent];
    if (height >= 1 && width >= 1 && height <= 4096 && width <= 4096) return [height, width];
    throw new ImportError(`its ${name} of ${height}x${width} is not between 1 and 4096`);
  }
}
