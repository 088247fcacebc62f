import { join } from 'node:path';

/** Paths in a models folder. */
export interface Layout {
  readonly root: string;
  /** Source files as fetched, named by their SHA-256: a newer importer converts them again without a network. */
  source(sha256: string): string;
  /** A download in progress, resumed after an interruption. */
  partial(sha256: string): string;
  /** All versions of a model. */
  model(id: string): string;
  /** One version: `model.onnx`, `manifest.json`, `files.json`. Never changed. */
  version(id: string, version: string): string;
  /** Custom entries, in addition to the shipped ones. */
  readonly entries: string;
  /** Numbers that added models have or had, by their ids. */
  readonly numbers: string;
  /** What is to be deleted unless the entry of this id exists: an addition or removal in progress. */
  leftovers(id: string): string;
  /** Incomplete files and folders; each is renamed when it is complete. */
  readonly scratch: string;
  readonly lock: string;
}

export function layoutOf(root: string): Layout {
  return {
    root,
    source: (sha256) => join(root, 'sources', sha256),
    partial: (sha256) => join(root, 'scratch', `${sha256}.part`),
    model: (id) => join(root, 'installed', id),
    version: (id, version) => join(root, 'installed', id, version),
    entries: join(root, 'entries'),
    numbers: join(root, 'model-numbers.json'),
    leftovers: (id) => join(root, 'scratch', `${id}.leftovers`),
    scratch: join(root, 'scratch'),
    lock: join(root, 'lock'),
  };
}
