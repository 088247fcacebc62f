import { isPassedOver } from '../../../storage/archive/file-tree.js';
import { maybeImage, type Plan, type PlannedImage, splitOfFolders, type Tree } from './plan.js';
import { PlanFindings } from './plan-findings.js';

/** Folders that are no class; exports have them. */
export const unlabelledFolder = '_unlabelled';
export const noneFolder = '_none';

/** Unread files that are in a finding of their own. */
const maxUnread = 300;

/**
 * A folder a class: `cat/1.jpg`. Folders above it may say the split: `train/cat/1.jpg`. An image without a folder has no
 * label, nor has one whose folder says only what it holds: `images/1.jpg`.
 */
export async function planFolders({ paths }: Tree): Promise<Plan> {
  const files = paths.filter(maybeImage);
  const say = readFolders([...new Set(files.map(folderOf))].map(partsOf));
  const said = new Map<string, Pick<PlannedImage, 'labels' | 'split'>>();
  const images = files.map((path): PlannedImage => {
    const folder = folderOf(path);
    const known = said.get(folder) ?? say(partsOf(folder));
    said.set(folder, known);
    return { path, ...known, lost: 0 };
  });
  const names = new Set(images.flatMap(({ labels }) => labels?.map(({ className }) => className) ?? []));
  return { format: 'folders', classes: [...names].sort(), images, findings: unreadOf(paths) };
}

/** What a folder says of its images, by the folders of all images of the tree. */
function readFolders(all: readonly (readonly string[])[]) {
  const [first = []] = all;
  const commonDepth = all.reduce((depth, folders) => {
    const at = folders.findIndex((folder, index) => folder !== first[index]);
    return Math.min(depth, at < 0 ? folders.length : at);
  }, first.length);
  // Beside a folder that is a class, one called `train` or `photos` is a class too.
  const withClasses = new Set(
    all
      .filter((folders) => folders.length > 0 && isClass(folders.at(-1)))
      .map((folders) => folders.slice(0, -1).join('/')),
  );
  return (folders: readonly string[]): Pick<PlannedImage, 'labels' | 'split'> => {
    const above = folders.slice(0, -1);
    const splitAbove = splitOfFolders(folders.join('/'));
    const own = folders.at(-1);
    if (own === undefined || !isContainer(own) || withClasses.has(above.join('/')))
      return { split: splitAbove, labels: labelsOf(own) };
    const parent = above.at(-1);
    // A folder around everything is the dataset rather than a class, unless it is of a split.
    const isWhole = above.length <= commonDepth && splitOfFolders(above.join('/')) === null;
    const isNamed = parent !== undefined && !isContainer(parent) && !isWhole;
    return { split: splitOfFolders(`${folders.join('/')}/`), labels: labelsOf(isNamed ? parent : undefined) };
  };
}

function labelsOf(folder: string | undefined): PlannedImage['labels'] {
  if (folder === undefined || folder === unlabelledFolder) return null;
  return folder === noneFolder ? [] : [{ className: fromFolder(folder), box: null, unit: 'pixels' }];
}

const containerWords = new Set([
  ...['image', 'images', 'img', 'imgs', 'jpegimages', 'photo', 'photos', 'pics'],
  ...['data', 'dataset', 'datasets', 'train', 'training', 'val', 'valid', 'validation', 'test', 'testing'],
]);

/** Whether a folder says what it holds, or its split, and nothing else: `images`, `image_2`, `val2017`, `train-images`. */
export function isContainer(folder: string): boolean {
  const words = folder.toLowerCase().split(/[\s\d_.-]+/);
  return words[0] !== '' && words.every((word) => word === '' || containerWords.has(word));
}

function isClass(folder: string | undefined): boolean {
  return folder !== undefined && !isContainer(folder) && folder !== unlabelledFolder && folder !== noneFolder;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function partsOf(folder: string): readonly string[] {
  return folder === '' ? [] : folder.split('/');
}

/** Files that may have labels, of which nothing is taken. */
function unreadOf(paths: readonly string[]): Plan['findings'] {
  const findings = new PlanFindings();
  const unread = paths.filter(
    (path) =>
      /\.(jsonl|json|csv|tsv|xml|txt)$/i.test(path) &&
      !/(^|\/)(readme|licen[cs]e|notice|changelog|requirements)[^/]*$/i.test(path),
  );
  const message = 'nothing was read from it: labels are of the names of folders alone';
  for (const path of unread.slice(0, maxUnread)) findings.add('ignored-file', path, message);
  if (unread.length > maxUnread)
    findings.add('ignored-file', null, `nothing was read from ${unread.length - maxUnread} more files`);
  return findings.list();
}

/**
 * A class as the name of a folder: what would be another path, or would be read as no class, is written as in an address.
 */
export function toFolder(name: string): string {
  const path = name
    .replace(/[%/\\]/g, (character) => encodeURIComponent(character))
    .replace(/^[._]/, (first) => (first === '.' ? '%2E' : '%5F'));
  return isNoClass(path)
    ? path.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16).toUpperCase()}`)
    : path;
}

/** Any other first character that looks encoded is the user's own. */
function fromFolder(folder: string): string {
  const decoded = folder.replace(/^%[2-7][\dA-F]/, (code) => decodeURIComponent(code));
  return (isNoClass(decoded) ? decoded : folder).replace(/%(25|2F|5C|2E|5F)/g, (code) =>
    decodeURIComponent(code),
  );
}

/** Whether a folder of this name would be no class, or would not be read at all. */
function isNoClass(folder: string): boolean {
  return isContainer(folder) || isPassedOver(folder);
}
