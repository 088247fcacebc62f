// Enrols an image of a person and looks for that person in another image, with @lynceus/client:
//
//   KEY=lyn_… node faces.mjs Ada ada.jpg group.jpg
//
// PERCEPTION: the number of the collection of people; without it a new one is created.
import { openAsBlob } from 'node:fs';
import { createLynceusClient } from '@lynceus/client';

const [keyId, imageOfPerson, imageToSearch] = process.argv.slice(2);
if (!imageToSearch)
  fail(
    'Name a person, an image of that person, and an image to search: node faces.mjs Ada ada.jpg group.jpg',
  );
if (!process.env.KEY) fail('Set KEY to an API key.');
const client = createLynceusClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:8080',
  apiKey: process.env.KEY,
});
const given = process.env.PERCEPTION;
const modelId = given ? Number(given) : (await client.perceptions.create({ name: 'example' })).model_id;
console.log(`perception ${modelId}`);

// keyId is your own id of a person; the first image under a new one creates the person. Three to five images are best.
const enrolled = await client.faceImages.addByKeyId(await openAsBlob(imageOfPerson), { modelId, keyId });
const lines = [`enrolled: ${enrolled.outcome}`, ...enrolled.findings.map(({ advice }) => `  ${advice}`)];
if (enrolled.outcome !== 'added') fail(lines.join('\n'));
console.log(lines.join('\n'));

// A match is above the decision point, "unsure" near it, and a stranger is "unknown".
const { faces } = await client.perceptions.search(await openAsBlob(imageToSearch), { modelId });
console.log(`faces: ${faces.length}`);
for (const { verdict, candidates } of faces) {
  const [best] = candidates;
  console.log(`  ${verdict}: ${best?.name ?? 'nobody'} ${best?.similarity ?? 0}`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
