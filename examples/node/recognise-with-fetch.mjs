// The same as recognise.mjs without a package, by the fetch of Node:
//
//   KEY=lyn_… node recognise-with-fetch.mjs photo.jpg
import { openAsBlob } from 'node:fs';

const [, , path] = process.argv;
if (!path) fail('Name an image: node recognise-with-fetch.mjs photo.jpg');
if (!process.env.KEY) fail('Set KEY to an API key.');
const baseUrl = (process.env.BASE_URL ?? 'http://127.0.0.1:8080').replace(/\/$/, '');
// The key is in a header, because proxies log addresses.
const headers = { 'x-api-key': process.env.KEY };
const image = await openAsBlob(path);

/** The answer; an error has a code that never changes, and a message that says what to correct. */
async function ask(where, request) {
  const answer = await (await fetch(baseUrl + where, request)).json();
  if (answer.error) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer;
}

// v1: the file as an upload.
const body = new FormData();
body.set('image', image, 'image');
const v1 = await ask('/predict/image?parts=objects,texts', { method: 'POST', headers, body });
console.log('v1, objects and texts:');
for (const { object_title, score, coordinates } of v1.objects.predictions) {
  console.log(`  ${object_title} ${score} at ${coordinates}`);
}
for (const { text_value, coordinates } of v1.texts.predictions) {
  console.log(`  the text "${text_value}" at ${coordinates}`);
}

// v2: JSON with the image as base64.
const base64str = Buffer.from(await image.arrayBuffer()).toString('base64');
const v2 = await ask('/predict', {
  method: 'PUT',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ base64str, model_id: 'coco-fast' }),
});
console.log('v2, objects:');
for (const { class_title, score, coordinates } of v2.predictions) {
  const { xmin, ymin, xmax, ymax } = coordinates;
  console.log(`  ${class_title} ${score} from ${xmin},${ymin} to ${xmax},${ymax}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
