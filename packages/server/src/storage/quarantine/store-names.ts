/** Stores of files that rows of the database name. Caches that can be made again are not among them. */
export const storeNames = ['images', 'faces', 'datasets', 'imports', 'models', 'drops', 'media'] as const;

export type StoreName = (typeof storeNames)[number];

/** By the name of a folder in the quarantine; that of the images had another name once. */
export function storeOfFolder(name: string): StoreName | null {
  if (name === 'pictures') return 'images';
  return isStoreName(name) ? name : null;
}

export function isStoreName(name: string): name is StoreName {
  return storeNames.some((each) => each === name);
}
