import { type Image, readImage } from '../image.js';
import type { Call, QueryValue } from '../service/call.js';

/** A call of v1 with an image: as a file part of a form, or by its address in the query. */
export function upload(path: string, image: Image, query: Readonly<Record<string, QueryValue>>): Call {
  const read = readImage(image);
  // GET would do for an address, but whatever is on the way may repeat a GET by itself, and calls count.
  if ('url' in read) return { method: 'POST', path, query: { ...query, url: read.url } };
  const form = new FormData();
  form.set('image', read.blob, 'image');
  return { method: 'POST', path, query, form };
}
