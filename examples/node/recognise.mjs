// Recognises an image by both generations of the API, with @lynceus/client:
//
//   KEY=lyn_… node recognise.mjs photo.jpg
import { openAsBlob } from 'node:fs';
import { createLynceusClient } from '@lynceus/client';

const [, , path] = process.argv;
if (!path) fail('Name an image: node recognise.mjs photo.jpg');
if (!process.env.KEY) fail('Set KEY to an API key.');
const client = createLynceusClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.KEY,
  // A busy service says when to ask again, and the client waits as long.
  maxRetries: 3,
});
const image = await openAsBlob(path);

// v1. `parts` selects what is looked for; without it, classes and faces come as well.
const { objects, texts } = await client.recognise(image, { parts: ['objects', 'texts'] });
console.log('v1, objects and texts:');
for (const { object_title, score, coordinates } of objects.predictions) {
  // X1, X2, Y1, Y2 in pixels.
  console.log(`  ${object_title} ${score} at ${coordinates}`);
}
for (const { text_value, coordinates } of texts.predictions) {
  console.log(`  the text "${text_value}" at ${coordinates}`);
}

// v2, with the detector of your choice.
const { predictions } = await client.detect(image, { modelId: 'coco-fast' });
console.log('v2, objects:');
for (const { class_title, score, coordinates } of predictions) {
  const { xmin, ymin, xmax, ymax } = coordinates;
  console.log(`  ${class_title} ${score} from ${xmin},${ymin} to ${xmax},${ymax}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
