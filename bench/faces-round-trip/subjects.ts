import { type Box, defaultFaceChain } from '@lynceus/engine';
import sharp from 'sharp';
import { readCoco } from '../accuracy/datasets.js';
import { startEngine } from '../engine.js';
import { facesThroughEngine } from '../faces/ask-faces.js';
import { readPeople } from '../faces/people.js';

/** A person of whom images can be generated. */
export interface Subject {
  readonly name: string;
  /** Faces cut out of photographs, one and more. */
  readonly faces: readonly Buffer[];
}

/** Smaller ones cannot be distinguished. */
const minFacePx = 32;
/** Cut out with so much about it, in parts of the face. */
const margin = 0.5;
const cutPx = 280;
/** Faces from photographs of streets as they are, and stretched into other faces. */
const shapes = [
  { title: '', width: 1, height: 1 },
  { title: ' narrow', width: 0.75, height: 1 },
  { title: ' wide', width: 1, height: 0.75 },
] as const;

/** The people of DIR/faces, and as many made-up ones as DIR/coco has faces for. */
export async function readSubjects(data: string): Promise<readonly Subject[]> {
  const engine = await startEngine();
  try {
    const ask = facesThroughEngine(engine, defaultFaceChain, { embed: false, minFacePx });
    const people = new Map<string, Buffer[]>();
    for (const { person, bytes } of await readPeople(data)) {
      const [face] = await ask(bytes);
      if (face) people.set(person, [...(people.get(person) ?? []), await cutOut(bytes, face.box)]);
    }
    const subjects = [...people].map(([name, faces]): Subject => ({ name, faces }));
    for (const { name, bytes } of await readCoco(data)) {
      for (const [at, face] of (await ask(bytes)).entries()) {
        const cut = await cutOut(bytes, face.box);
        for (const { title, ...shape } of shapes) {
          subjects.push({ name: `${name} ${at}${title}`, faces: [await stretch(cut, shape)] });
        }
      }
    }
    return subjects;
  } finally {
    await engine.close();
  }
}

async function cutOut(bytes: Buffer, { xMin, yMin, xMax, yMax }: Box): Promise<Buffer> {
  const upright = await sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const [aboutX, aboutY] = [(xMax - xMin) * margin, (yMax - yMin) * margin];
  const [left, top] = [Math.max(0, Math.floor(xMin - aboutX)), Math.max(0, Math.floor(yMin - aboutY))];
  return sharp(upright)
    .extract({
      left,
      top,
      width: Math.min(width, Math.ceil(xMax + aboutX)) - left,
      height: Math.min(height, Math.ceil(yMax + aboutY)) - top,
    })
    .resize({ width: cutPx, height: cutPx, fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function stretch(
  face: Buffer,
  shape: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const { width, height } = await sharp(face).metadata();
  const [toWidth, toHeight] = [Math.round(width * shape.width), Math.round(height * shape.height)];
  return sharp(face)
    .resize({ width: toWidth, height: toHeight, fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
