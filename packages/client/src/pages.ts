import type { CallOptions } from './options.js';

export interface Page<Item> {
  readonly data: readonly Item[];
  /** For the next page; null: this is the last. */
  readonly next_cursor: string | null;
}

export interface ListOptions extends CallOptions {
  /** How many a page has, 1 to 100; 50 unless given. */
  readonly limit?: number | undefined;
}

export interface PageOptions extends ListOptions {
  /** The `next_cursor` of the page before; the first page unless given. */
  readonly cursor?: string | undefined;
}

/** Every item of a list; a page is asked for when the one before is used up. */
export async function* walkPages<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let page = await readPage(undefined);
  yield* page.data;
  while (page.next_cursor !== null) {
    page = await readPage(page.next_cursor);
    yield* page.data;
  }
}
