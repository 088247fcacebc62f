/** Stores of files that rows of the database name. Caches that can be made again are not among them. */
export const storeNames = ['pictures', 'faces', 'datasets', 'imports', 'models', 'drops'] as const;

export type StoreName = (typeof storeNames)[number];

export function isStoreName(name: string): name is StoreName {
  return storeNames.some((each) => each === name);
}
