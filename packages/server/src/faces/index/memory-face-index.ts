import type { DamageListener, StoredGalleries } from '../stored-galleries.js';
import type { FaceIndex, GalleryRef, IndexedFace } from './face-index.js';
import { type IndexThread, startIndexThread } from './index-thread.js';
import type { IndexOutcome, IndexRequest } from './messages.js';
import { shareRuns } from './share-runs.js';

export interface MemoryFaceIndexOptions {
  readonly stored: Pick<StoredGalleries, 'position' | 'faces' | 'changesAfter'>;
  /** Of vectors in memory; the galleries that were searched longest ago leave it first. */
  readonly maxBytes: number;
  readonly onThreadCrashed: (error: Error) => void;
  /** Called for an image that is left out because its vector is not as long as the others of its gallery. */
  readonly onDamaged: DamageListener;
  /** A gallery was read from the database as a whole. */
  readonly onLoaded?: (faces: number, durationMs: number) => void;
}

interface Held {
  /** Brings it up to what the database had when this was called. */
  readonly catchUp: () => Promise<void>;
  /** Changes of the database that it has; null before all its faces were read. */
  position: number | null;
  faces: number;
  bytes: number;
  /** Searches under way; such a gallery does not leave. */
  uses: number;
}

/** The gallery was dropped while a search waited for it. */
class Dropped extends Error {}

/**
 * The index of one process: vectors in the memory of a worker thread, read from the database when a gallery is first
 * searched and kept in step with it by its list of changes. After the thread is lost, a new one reads them again.
 */
export function createMemoryFaceIndex(options: MemoryFaceIndexOptions): FaceIndex {
  const { stored, maxBytes, onThreadCrashed, onDamaged, onLoaded } = options;
  /** The one searched longest ago first. */
  const held = new Map<string, Held>();
  let thread: IndexThread | null = null;

  const theThread = (): IndexThread => {
    thread ??= startIndexThread((error) => {
      thread = null;
      held.clear();
      onThreadCrashed(error);
    });
    return thread;
  };

  /** Refused for a gallery that left: what was read for it must not be mixed with what is read later. */
  const ask = async (name: string, gallery: Held, request: IndexRequest): Promise<IndexOutcome> => {
    if (held.get(name) !== gallery) throw new Dropped('the gallery was dropped while it was read');
    const outcome = await theThread().ask(request, ownerOf(name));
    Object.assign(gallery, { faces: outcome.faces, bytes: outcome.bytes });
    return outcome;
  };

  const put = async (ref: GalleryRef, name: string, gallery: Held, faces: readonly IndexedFace[]) => {
    const { misfits } = await ask(name, gallery, { kind: 'put', gallery: name, faces });
    for (const imageId of misfits) onDamaged(ref, imageId, 'its vector has another length than the others');
  };

  const load = async (ref: GalleryRef, name: string, gallery: Held): Promise<number> => {
    const startedAt = performance.now();
    // Read first: what changes while the faces are read is read again as a change.
    const position = (await stored.position(ref)) ?? 0;
    await ask(name, gallery, { kind: 'drop', gallery: name });
    for await (const faces of stored.faces(ref)) await put(ref, name, gallery, faces);
    onLoaded?.(gallery.faces, performance.now() - startedAt);
    return position;
  };

  const bringUpToDate = async (ref: GalleryRef, name: string, gallery: Held): Promise<void> => {
    for (;;) {
      gallery.position ??= await load(ref, name, gallery);
      const changes = await stored.changesAfter(ref, gallery.position);
      if (changes === null) {
        gallery.position = null;
        continue;
      }
      const { present, gone, position, mayHaveMore } = changes;
      if (gone.length > 0) await ask(name, gallery, { kind: 'remove', gallery: name, imageIds: gone });
      if (present.length > 0) await put(ref, name, gallery, present);
      gallery.position = position;
      if (!mayHaveMore) return;
    }
  };

  const hold = (ref: GalleryRef, name: string): Held => {
    const known = held.get(name);
    if (known) held.delete(name);
    const gallery: Held = known ?? {
      catchUp: shareRuns(() => bringUpToDate(ref, name, gallery)),
      position: null,
      faces: 0,
      bytes: 0,
      uses: 0,
    };
    held.set(name, gallery);
    return gallery;
  };

  const forget = (name: string): void => {
    held.delete(name);
    // What cannot be asked of a lost thread is lost with it.
    thread?.ask({ kind: 'drop', gallery: name }, ownerOf(name)).catch(() => undefined);
  };

  const evict = (): void => {
    let bytes = total('bytes');
    // The one searched last stays even if it is too large by itself: it would be read again for every search.
    for (const [name, gallery] of [...held].slice(0, -1)) {
      if (bytes <= maxBytes) return;
      if (gallery.uses > 0) continue;
      bytes -= gallery.bytes;
      forget(name);
    }
  };

  const total = (what: 'faces' | 'bytes'): number =>
    [...held.values()].reduce((sum, gallery) => sum + gallery[what], 0);

  /** Does something with a gallery that is up to date; once more when it was dropped meanwhile. */
  const use = async <T>(ref: GalleryRef, work: (name: string, gallery: Held) => Promise<T>): Promise<T> => {
    const name = nameOf(ref);
    const gallery = hold(ref, name);
    gallery.uses += 1;
    try {
      await gallery.catchUp();
      return await work(name, gallery);
    } catch (error) {
      if (!(error instanceof Dropped)) throw error;
    } finally {
      gallery.uses -= 1;
      evict();
    }
    return use(ref, work);
  };

  return {
    nearestPeople: (ref, query, wanted) =>
      use(ref, async (name, gallery) => {
        const outcome = await ask(name, gallery, { kind: 'nearest', gallery: name, query, wanted });
        return outcome.neighbours;
      }),
    prepare: (ref) => use(ref, async () => undefined),
    drop: async (ref) => forget(nameOf(ref)),
    stats: () => ({ galleries: held.size, faces: total('faces'), bytes: total('bytes') }),
    close: async () => thread?.close(),
  };
}

/** The account that a gallery is of. */
function ownerOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function nameOf({ accountId, perceptionId, embedder }: GalleryRef): string {
  return `${accountId}/${perceptionId}/${embedder}`;
}
