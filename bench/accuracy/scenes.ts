import sharp from 'sharp';
import type { LabelledPhoto } from './datasets.js';

const cell = { width: 640, height: 480 };

/**
 * Large scenes, of photographs side by side on grey: objects keep about the pixels that they have, and become small in the whole.
 * What is left over of the photographs is not used.
 */
export async function composeScenes(
  photos: readonly LabelledPhoto[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<LabelledPhoto[]> {
  const perScene = columns * rows;
  const scenes: LabelledPhoto[] = [];
  for (let first = 0; first + perScene <= photos.length; first += perScene) {
    scenes.push(await compose(photos.slice(first, first + perScene), columns, rows));
  }
  return scenes;
}

async function compose(
  photos: readonly LabelledPhoto[],
  columns: number,
  rows: number,
): Promise<LabelledPhoto> {
  const [width, height] = [columns * cell.width, rows * cell.height];
  const placed = await Promise.all(
    photos.map(async ({ bytes, truths }, index) => {
      const { data, info } = await sharp(bytes)
        .autoOrient()
        .resize({ ...cell, fit: 'inside' })
        .png({ compressionLevel: 1 })
        .toBuffer({ resolveWithObject: true });
      const left = (index % columns) * cell.width + Math.floor((cell.width - info.width) / 2);
      const top = Math.floor(index / columns) * cell.height + Math.floor((cell.height - info.height) / 2);
      const moved = truths.map(({ classIndex, relative }) => ({
        classIndex,
        relative: {
          xMin: (left + relative.xMin * info.width) / width,
          yMin: (top + relative.yMin * info.height) / height,
          xMax: (left + relative.xMax * info.width) / width,
          yMax: (top + relative.yMax * info.height) / height,
        },
      }));
      return { input: data, left, top, moved };
    }),
  );
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .composite(placed.map(({ input, left, top }) => ({ input, left, top })))
    .jpeg({ quality: 92 })
    .toBuffer();
  return {
    name: photos.map(({ name }) => name).join('+'),
    bytes,
    truths: placed.flatMap(({ moved }) => moved),
  };
}
