import { parentPort } from 'node:worker_threads';
import type { Neighbour } from './face-index.js';
import { createGallery, type Gallery } from './gallery.js';
import type { IndexMessage, IndexReport, IndexRequest } from './messages.js';

/** The thread that holds all galleries: a search of a million faces takes a fifth of a second. */
if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
const galleries = new Map<string, Gallery>();

port.on('message', ({ id, request }: IndexMessage) => {
  const report = (answer: IndexReport) => port.postMessage(answer);
  try {
    const neighbours = carryOut(request);
    const { size = 0, bytes = 0 } = galleries.get(request.gallery) ?? {};
    report({ id, outcome: { neighbours, faces: size, bytes } });
  } catch (error) {
    report({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});

function carryOut(request: IndexRequest): readonly Neighbour[] {
  const gallery = galleries.get(request.gallery);
  switch (request.kind) {
    case 'nearest':
      return gallery?.nearestPeople(request.query, request.wanted) ?? [];
    case 'put':
      for (const { imageId, personId, vector } of request.faces) {
        galleryFor(request.gallery, vector.length).put(imageId, personId, vector);
      }
      return [];
    case 'remove':
      for (const imageId of request.imageIds) gallery?.remove(imageId);
      return [];
    case 'assign':
      for (const imageId of request.imageIds) gallery?.assign(imageId, request.personId);
      return [];
    case 'drop':
      galleries.delete(request.gallery);
      return [];
  }
}

function galleryFor(name: string, dimensions: number): Gallery {
  const known = galleries.get(name);
  if (known) return known;
  const made = createGallery(dimensions);
  galleries.set(name, made);
  return made;
}
