import { maybeImage, type Plan, type PlannedImage, splitOfFolders, type Tree } from './plan.js';

/** Folders that are no class; exports have them. */
export const unlabelledFolder = '_unlabelled';
export const noneFolder = '_none';

/**
 * A folder a class: `cat/1.jpg`. Folders above it may say the split: `train/cat/1.jpg`. An image without a folder has no
 * label.
 */
export async function planFolders({ paths }: Tree): Promise<Plan> {
  const images = paths.filter(maybeImage).map((path): PlannedImage => {
    const folders = path.split('/').slice(0, -1);
    const folder = folders.at(-1);
    const split = folders.length > 1 ? splitOfFolders(folders.join('/')) : null;
    if (folder === undefined || folder === unlabelledFolder) return { path, split, labels: null, lost: 0 };
    if (folder === noneFolder) return { path, split, labels: [], lost: 0 };
    return { path, split, labels: [{ className: fromFolder(folder), box: null, unit: 'pixels' }], lost: 0 };
  });
  const names = new Set(images.flatMap(({ labels }) => labels?.map(({ className }) => className) ?? []));
  return { format: 'folders', classes: [...names].sort(), images, findings: [] };
}

/** A class as the name of a folder: what would be another path is written as in an address. */
export function toFolder(name: string): string {
  return name
    .replace(/[%/\\]/g, (character) => encodeURIComponent(character))
    .replace(/^[._]/, (first) => (first === '.' ? '%2E' : '%5F'));
}

function fromFolder(folder: string): string {
  return folder.replace(/%(25|2F|5C|2E|5F)/g, (code) => decodeURIComponent(code));
}
