import { parentPort } from 'node:worker_threads';
import type { IndexedFace } from './face-index.js';
import { createGallery, type Gallery } from './gallery.js';
import type { IndexMessage, IndexOutcome, IndexReport, IndexRequest } from './messages.js';

/** The thread that holds all galleries: a search of a million faces takes a twentieth of a second. */
if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
const galleries = new Map<string, Gallery>();

port.on('message', ({ id, request }: IndexMessage) => {
  const report = (answer: IndexReport) => port.postMessage(answer);
  try {
    const done = carryOut(request);
    const { size = 0, bytes = 0 } = galleries.get(request.gallery) ?? {};
    report({ id, outcome: { neighbours: [], misfits: [], ...done, faces: size, bytes } });
  } catch (error) {
    report({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});

function carryOut(request: IndexRequest): Partial<Pick<IndexOutcome, 'neighbours' | 'misfits'>> {
  const gallery = galleries.get(request.gallery);
  switch (request.kind) {
    case 'nearest':
      return { neighbours: gallery?.nearestPeople(request.query, request.wanted) ?? [] };
    case 'put':
      return { misfits: putAll(request.gallery, request.faces) };
    case 'remove':
      for (const imageId of request.imageIds) gallery?.remove(imageId);
      return {};
    case 'drop':
      galleries.delete(request.gallery);
      return {};
  }
}

function putAll(name: string, faces: readonly IndexedFace[]): readonly number[] {
  const misfits: number[] = [];
  for (const { imageId, personId, vector } of faces) {
    const gallery = galleryFor(name, vector.length);
    if (vector.length === gallery.dimensions) gallery.put(imageId, personId, vector);
    else misfits.push(imageId);
  }
  return misfits;
}

function galleryFor(name: string, dimensions: number): Gallery {
  const known = galleries.get(name);
  if (known) return known;
  const made = createGallery(dimensions);
  galleries.set(name, made);
  return made;
}
