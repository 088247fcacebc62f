import { readImage } from '../image.js';
import { toBase64 } from './base64.js';
import type { Call } from './call.js';
import type { Operation } from './operation.js';
import { toPathPart } from './path-part.js';
import { writeValue, writtenParts } from './written.js';

/** Arguments and options by name. */
export type Values = Readonly<Record<string, unknown>>;
type Fields = readonly (readonly [wire: string, value: unknown])[];

/** The request of an operation with these arguments and options. */
export async function toCall(operation: Operation, values: Values): Promise<Call> {
  const [method = '', path = ''] = operation.call.split(' ');
  const fieldsOf = (kinds: object = {}): Fields =>
    Object.keys(kinds).map((name) => [toWire(operation, name), writeValue(name, values[name])]);
  const image = operation.image && (await toFields(operation.image, values['image']));
  const query = new URLSearchParams(operation.fixed);
  for (const [name, value] of [...fieldsOf(operation.query), ...(image?.query ?? [])]) {
    if (value !== undefined) query.set(name, String(value));
  }
  const json = [...fieldsOf(operation.json), ...(image?.json ?? [])];
  const body = operation.body && writeValue(operation.body.name, values[operation.body.name]);
  const isJson = operation.body?.type === 'application/json';
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const write = writtenParts[name];
      return write ? write(values[name]) : toPathPart(name, writeValue(name, values[name]));
    }),
    query,
    form: operation.form ? toForm(operation, fieldsOf(operation.form)) : image?.form,
    json: isJson ? body : operation.json && Object.fromEntries(json),
    file: operation.body && !isJson ? { type: operation.body.type, blob: body as Blob } : undefined,
    ifMatch:
      operation.etag && values[operation.etag] !== undefined ? `"${values[operation.etag]}"` : undefined,
    creates: operation.creates,
    media: operation.media,
    as: operation.as,
    alsoAnswers: operation.alsoAnswers,
  };
}

function toWire({ wire = {} }: Operation, name: string): string {
  return wire[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields before files: the service reads them as they come. */
function toForm({ args = [], wire = {} }: Operation, fields: Fields): FormData {
  const form = new FormData();
  const fileNames = args.map((name) => wire[name] ?? name);
  for (const [name, value] of fields) {
    if (value === undefined || fileNames.includes(name)) continue;
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  for (const [name, value] of fields) {
    if (!fileNames.includes(name)) continue;
    for (const file of Array.isArray(value) ? value : [value]) {
      form.append(name, 'content' in file ? file.content : file, file.name ?? `${args.at(-1)}`);
    }
  }
  return form;
}

interface ImageFields {
  readonly query?: Fields;
  readonly json?: Fields;
  readonly form?: FormData;
}

/** GET would do for an address, but whatever is on the way may repeat a GET by itself, and calls count. */
async function toFields(place: 'form' | 'json', image: unknown): Promise<ImageFields> {
  const read = readImage(image);
  if (place === 'json') {
    return {
      json: ['url' in read ? ['image_file_url', read.url] : ['base64str', await toBase64(read.blob)]],
    };
  }
  if ('url' in read) return { query: [['url', read.url]] };
  const form = new FormData();
  form.set('image', read.blob, 'image');
  return { form };
}
