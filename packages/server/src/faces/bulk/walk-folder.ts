import { openFolderTree as openTree } from '../../archive/open-folder-tree.js';
import { type ImageTree, imageTree, maxFiles } from './image-tree.js';

/** Images below a folder, and below no other by a link. */
export function openFolderTree(dir: string, maxImageBytes: number): ImageTree {
  return imageTree(() => openTree(dir, maxFiles), maxImageBytes);
}
