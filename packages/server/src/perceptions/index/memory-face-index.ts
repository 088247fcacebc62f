import type { FaceIndex, GalleryRef, IndexedFace } from './face-index.js';
import { type IndexThread, startIndexThread } from './index-thread.js';
import type { IndexOutcome, IndexRequest } from './messages.js';

export interface MemoryFaceIndexOptions {
  /** All faces of a gallery as the database has them, in pages; read when the gallery is first searched. */
  readonly loadFaces: (gallery: GalleryRef) => AsyncIterable<readonly IndexedFace[]>;
  /** Of vectors in memory; the galleries that were searched longest ago leave it first. */
  readonly maxBytes: number;
  readonly onThreadLost: (error: Error) => void;
}

interface Held {
  readonly loaded: Promise<void>;
  /** While it is read from the database, what was committed meanwhile is done once more when all is read. */
  afterLoading: IndexRequest[] | null;
  faces: number;
  bytes: number;
  /** Searches under way; such a gallery does not leave. */
  uses: number;
}

/**
 * The index of one service: vectors in the memory of a worker thread, built from the database when a gallery is first
 * searched. After the thread is lost, a new one builds them again.
 */
export function createMemoryFaceIndex(options: MemoryFaceIndexOptions): FaceIndex {
  const { loadFaces, maxBytes, onThreadLost } = options;
  /** The one searched longest ago first. */
  const held = new Map<string, Held>();
  let thread: IndexThread | null = null;

  const theThread = (): IndexThread => {
    thread ??= startIndexThread((error) => {
      thread = null;
      held.clear();
      onThreadLost(error);
    });
    return thread;
  };

  const ask = async (name: string, request: IndexRequest): Promise<IndexOutcome> => {
    const outcome = await theThread().ask(request);
    const gallery = held.get(name);
    if (gallery) Object.assign(gallery, { faces: outcome.faces, bytes: outcome.bytes });
    return outcome;
  };

  const load = async (ref: GalleryRef, name: string, gallery: () => Held): Promise<void> => {
    for await (const faces of loadFaces(ref)) {
      if (held.get(name) !== gallery()) throw new Error('the gallery was dropped while it was read');
      await ask(name, { kind: 'put', gallery: name, faces });
    }
    // A page may have been read before a change and put after it.
    for (const request of gallery().afterLoading ?? []) await ask(name, request);
    gallery().afterLoading = null;
  };

  const hold = (ref: GalleryRef): Held => {
    const name = nameOf(ref);
    const known = held.get(name);
    if (known) {
      held.delete(name);
      held.set(name, known);
      return known;
    }
    const gallery: Held = {
      loaded: Promise.resolve().then(() => load(ref, name, () => gallery)),
      afterLoading: [],
      faces: 0,
      bytes: 0,
      uses: 0,
    };
    held.set(name, gallery);
    gallery.loaded.catch(() => {
      if (held.get(name) === gallery) forget(name);
    });
    return gallery;
  };

  const forget = (name: string): void => {
    held.delete(name);
    // What cannot be asked of a lost thread is lost with it.
    thread?.ask({ kind: 'drop', gallery: name }).catch(() => undefined);
  };

  const makeRoom = (): void => {
    let bytes = total('bytes');
    // The one searched last stays even if it is too large by itself: it would be read anew for every search.
    for (const [name, gallery] of [...held].slice(0, -1)) {
      if (bytes <= maxBytes) return;
      if (gallery.uses > 0 || gallery.afterLoading !== null) continue;
      bytes -= gallery.bytes;
      forget(name);
    }
  };

  const total = (what: 'faces' | 'bytes'): number =>
    [...held.values()].reduce((sum, gallery) => sum + gallery[what], 0);

  /** What is not in memory needs no change: it is read when it is searched. */
  const change = async (ref: GalleryRef, request: (gallery: string) => IndexRequest): Promise<void> => {
    const name = nameOf(ref);
    const gallery = held.get(name);
    if (!gallery) return;
    const asked = request(name);
    gallery.afterLoading?.push(asked);
    try {
      await ask(name, asked);
    } catch (error) {
      // Lost with its thread, it is read from the database again, and has the change from there.
      if (held.get(name) === gallery) throw error;
    }
    makeRoom();
  };

  return {
    async nearestPeople(ref, query, wanted) {
      const gallery = hold(ref);
      gallery.uses += 1;
      try {
        await gallery.loaded;
        const name = nameOf(ref);
        return (await ask(name, { kind: 'nearest', gallery: name, query, wanted })).neighbours;
      } finally {
        gallery.uses -= 1;
        makeRoom();
      }
    },
    add: (ref, faces) => change(ref, (gallery) => ({ kind: 'put', gallery, faces })),
    remove: (ref, imageIds) => change(ref, (gallery) => ({ kind: 'remove', gallery, imageIds })),
    assign: (ref, imageIds, personId) =>
      change(ref, (gallery) => ({ kind: 'assign', gallery, imageIds, personId })),
    async drop(ref) {
      forget(nameOf(ref));
    },
    stats: () => ({ galleries: held.size, faces: total('faces'), bytes: total('bytes') }),
    close: async () => thread?.close(),
  };
}

function nameOf({ accountId, perceptionId, embedder }: GalleryRef): string {
  return `${accountId}/${perceptionId}/${embedder}`;
}
