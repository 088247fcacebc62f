import { openZipTree as openTree } from '../../archive/open-zip-tree.js';
import { type ImageTree, imageTree, maxFiles } from './image-tree.js';

/** Images in a zip. Two entries of one name are two files. */
export function openZipTree(path: string, maxImageBytes: number): ImageTree {
  return imageTree(() => openTree(path, maxFiles), maxImageBytes);
}
