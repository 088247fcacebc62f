import { join } from 'node:path';

/** Paths in a models folder. */
export type Layout = ReturnType<typeof layoutOf>;

export function layoutOf(root: string) {
  return {
    root,
    /** Source files as fetched, named by their SHA-256: a newer importer converts them again without a network. */
    source: (sha256: string): string => join(root, 'sources', sha256),
    /** A download in progress, resumed after an interruption. */
    partial: (sha256: string): string => join(root, 'scratch', `${sha256}.part`),
    /** All versions of a model. */
    model: (id: string): string => join(root, 'installed', id),
    /** One version: `model.onnx`, `manifest.json`, `files.json`. Never changed. */
    version: (id: string, version: string): string => join(root, 'installed', id, version),
    /** Custom entries, in addition to the shipped ones. */
    entries: join(root, 'entries'),
    /** Numbers that added models have or had, by their ids. */
    numbers: join(root, 'model-numbers.json'),
    /** What is to be deleted unless the entry of this id exists: an addition or removal in progress. */
    leftovers: (id: string): string => join(root, 'scratch', `${id}.leftovers`),
    /** Incomplete files and folders; each is renamed when it is complete. */
    scratch: join(root, 'scratch'),
    lock: join(root, 'lock'),
  };
}
