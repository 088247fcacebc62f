import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createCompreFace } from './compreface/ask.mjs';
import { endingOf, nameFolders } from './compreface/names.mjs';

// COMPREFACE_KEY=… node scripts/from-compreface.mjs ADDRESS FOLDER
// The images of a CompreFace, a folder for each subject, as `lynceus faces import` takes them. Run again, it fetches what
// is missing.

const atOnce = 4;

async function run([address, folder]) {
  const key = process.env.COMPREFACE_KEY;
  if (!address || !folder || !key || !/^https?:\/\//.test(address)) {
    throw new Error('Use: COMPREFACE_KEY=… node scripts/from-compreface.mjs http://HOST:8000 FOLDER');
  }
  const compreFace = createCompreFace({ address, key });
  const faces = await collect(compreFace.listFaces());
  const subjects = await compreFace.listSubjects();
  const folders = nameFolders([...subjects, ...faces.map(({ subject }) => subject)]);
  for (const [subject, name] of folders) {
    if (name !== subject) console.log(`${JSON.stringify(subject)} is in the folder ${JSON.stringify(name)}`);
  }
  const counts = { fetched: 0, 'there already': 0, 'not kept by CompreFace': 0, 'no image': 0, failed: 0 };
  const there = await listThere(folder);
  const waiting = faces.values();
  const work = async () => {
    for (const { imageId, subject } of waiting) {
      const path = join(folders.get(subject), imageId);
      const outcome = there.has(path)
        ? 'there already'
        : await fetchImage(compreFace, imageId, join(folder, path));
      counts[outcome] += 1;
      if (outcome !== 'fetched' && outcome !== 'there already') console.log(`${path}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const withImages = new Set(faces.map(({ subject }) => subject));
  const without = subjects.filter((subject) => !withImages.has(subject));
  if (without.length > 0)
    console.log(`without an example: ${without.map((name) => JSON.stringify(name)).join(', ')}`);
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  console.log(
    `${withImages.size} subjects; ${nonZero.map(([what, count]) => `${count} ${what}`).join(', ') || 'no images'}`,
  );
  const complete = faces.length === counts.fetched + counts['there already'];
  if (complete) console.log(`Next: npm run -s lynceus -- faces import ${resolve(folder)} --new NAME`);
  return complete ? 0 : 1;
}

async function fetchImage(compreFace, imageId, path) {
  let bytes;
  try {
    bytes = await compreFace.readImage(imageId);
  } catch (error) {
    console.error(`${imageId}: ${error.message}`);
    return 'failed';
  }
  if (bytes.length === 0) return 'not kept by CompreFace';
  const ending = endingOf(bytes);
  if (ending === null) return 'no image';
  await writeWhole(`${path}.${ending}`, bytes);
  return 'fetched';
}

/** A name that an image has is that of a whole image. */
async function writeWhole(path, bytes) {
  await mkdir(dirname(path), { recursive: true });
  const temporaryPath = `${path}.part`;
  const file = await open(temporaryPath, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporaryPath, path);
}

/** Folder and image id of each image that an earlier run fetched. */
async function listThere(folder) {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true });
  return new Set(entries.filter((path) => !path.endsWith('.part')).map((path) => path.replace(/\.\w+$/, '')));
}

async function collect(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

process.exitCode = await run(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  return 1;
});
