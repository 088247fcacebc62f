import { join } from 'node:path';

/** Where things are in a models folder. */
export interface Layout {
  readonly root: string;
  /** Source files as fetched, named by their SHA-256: a newer importer converts them again without a network. */
  source(sha256: string): string;
  /** A download in progress, continued when it was cut. */
  partial(sha256: string): string;
  /** All versions of a model. */
  model(id: string): string;
  /** One version: `model.onnx`, `manifest.json`, `files.json`. Never changed once it is there. */
  version(id: string, version: string): string;
  /** Entries of one's own, beside the shipped ones. */
  readonly entries: string;
  /** Half-made things; each is renamed to its place once it is complete. */
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
    scratch: join(root, 'scratch'),
    lock: join(root, 'lock'),
  };
}
