import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, BoxedImage } from '@lynceus/engine';
import sharp from 'sharp';
import { seededRandom } from '../accuracy/bootstrap.js';
import { imageAt } from './raccoons.js';

const images = 92;

/**
 * A task unlike COCO's: a small printed mark, a drawing of ours, composed into photographs under varying size (a tenth to
 * two fifths of the shorter side), turn, colour, light and blur; one image in four bears two.
 */
export async function composeMarks(data: string, dir: string): Promise<BoxedImage[]> {
  await mkdir(dir, { recursive: true });
  const folder = join(data, 'imagenet');
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.JPEG'))
    .sort()
    .slice(0, images);
  const random = seededRandom(7);
  const composed: BoxedImage[] = [];
  for (const [index, name] of names.entries()) {
    const photo = await sharp(join(folder, name))
      .resize({ width: 800, height: 800, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .removeAlpha()
      .png()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = photo.info;
    const marks = [await placeMark(width, height, random)];
    if (index % 4 === 0) {
      const second = await placeMark(width, height, random);
      if (marks.every(({ box }) => apart(box, second.box))) marks.push(second);
    }
    const path = join(dir, `mark-${index}.jpg`);
    const bytes = await sharp(photo.data)
      .composite(marks.map(({ input, box }) => ({ input, left: box.xMin, top: box.yMin })))
      .jpeg({ quality: 88 })
      .toBuffer();
    await writeFile(path, bytes);
    composed.push({
      ...(await imageAt(path, `mark-${index}`)),
      boxes: marks.map(({ box }) => ({ label: 0, box })),
    });
  }
  return composed;
}

async function placeMark(
  width: number,
  height: number,
  random: () => number,
): Promise<{ readonly input: Buffer; readonly box: Box }> {
  const side = Math.round(Math.min(width, height) * (0.1 + 0.3 * random()));
  const turn = (random() - 0.5) * 60;
  const tint = { brightness: 0.6 + 0.7 * random(), saturation: 0.6 + 0.6 * random() };
  const drawn = sharp(Buffer.from(drawMark(side, 0.75 + 0.25 * random())))
    .rotate(turn, { background: '#00000000' })
    .modulate(tint);
  const blurred = random() < 0.5 ? drawn.blur(0.3 + (random() * side) / 60) : drawn;
  const { data, info } = await sharp(await blurred.png().toBuffer())
    .trim({ threshold: 1 })
    .png()
    .toBuffer({ resolveWithObject: true });
  const xMin = Math.floor(random() * Math.max(1, width - info.width));
  const yMin = Math.floor(random() * Math.max(1, height - info.height));
  return { input: data, box: { xMin, yMin, xMax: xMin + info.width, yMax: yMin + info.height } };
}

/** A ring with a lynx's ears and a bar below: nothing that COCO knows. */
function drawMark(side: number, opacity: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 100 100" opacity="${opacity}">
    <rect x="4" y="4" width="92" height="92" rx="18" fill="#f4f0e6" stroke="#1c3f6e" stroke-width="5"/>
    <path d="M22 50 L28 18 L44 36 L56 36 L72 18 L78 50" fill="#d2551c"/>
    <circle cx="50" cy="52" r="24" fill="none" stroke="#1c3f6e" stroke-width="8"/>
    <rect x="24" y="80" width="52" height="8" fill="#1c3f6e"/>
  </svg>`;
}

function apart(a: Box, b: Box): boolean {
  return a.xMax < b.xMin || b.xMax < a.xMin || a.yMax < b.yMin || b.yMax < a.yMin;
}
