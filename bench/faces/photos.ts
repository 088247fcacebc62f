import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boxArea, drawMarks, type Face, openImage } from '@lynceus/engine';
import { readCoco } from '../accuracy/datasets.js';
import type { AskFaces } from './ask-faces.js';

/** COCO's class of a person. */
const person = 0;

export interface PhotoFigures {
  readonly withPerson: number;
  readonly withPersonAndFace: number;
  readonly facesOfPersons: number;
  readonly withoutPerson: number;
  readonly alarms: number;
  /** Embeddings of faces of at least 32 px, with the photograph that they are in: people who occur nowhere else here. */
  readonly strangers: readonly { readonly photo: string; readonly embedding: Float32Array }[];
}

/** Faces in labelled photographs; those in photographs without a person are drawn into `outDir`, to be judged by eye. */
export async function lookAtPhotos(data: string, ask: AskFaces, outDir: string): Promise<PhotoFigures> {
  let [withPerson, withPersonAndFace, facesOfPersons, withoutPerson, alarms] = [0, 0, 0, 0, 0];
  const strangers: { photo: string; embedding: Float32Array }[] = [];
  for (const { name, bytes, truths } of await readCoco(data)) {
    const faces = await ask(bytes);
    const hasPerson = truths.some(({ classIndex }) => classIndex === person);
    if (hasPerson) {
      withPerson++;
      facesOfPersons += faces.length;
      if (faces.length > 0) withPersonAndFace++;
      for (const { embedding, quality } of faces) {
        if (embedding && quality.sizePx >= 32) strangers.push({ photo: name, embedding });
      }
    } else {
      withoutPerson++;
      alarms += faces.length;
    }
    if (faces.length > 0)
      await drawFaces(bytes, faces, join(outDir, `${hasPerson ? 'person' : 'alarm'}-${name}`));
  }
  return { withPerson, withPersonAndFace, facesOfPersons, withoutPerson, alarms, strangers };
}

export async function drawFaces(bytes: Uint8Array, faces: readonly Face[], path: string): Promise<void> {
  const image = await openImage(
    { kind: 'bytes', bytes },
    { limits: { maxPixels: 50_000_000 }, detailPx: Number.MAX_SAFE_INTEGER },
  );
  const marks = faces.map(({ box, score }) => ({
    box,
    title: 'face',
    note: `${score.toFixed(2)} ${Math.round(Math.sqrt(boxArea(box)))} px`,
  }));
  await writeFile(path, (await drawMarks(image, marks)).jpeg);
}
