import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelManifest, type ModelRef } from '@lynceus/engine';
import { LRUCache } from 'lru-cache';
import { Value } from 'typebox/value';
import type { PredictionModel } from '../../recognition/choose-model.js';

/** What a client may ask of a model before it sends an image. */
interface FactsOfModel {
  /** Titles of its classes; none where its files cannot be read. */
  readonly labels: readonly string[];
  /** Of its input in pixels; 0: of any size, or unknown. */
  readonly width: number;
  readonly height: number;
}

export type ModelFacts = (model: PredictionModel) => Promise<FactsOfModel>;

const maxKept = 200;

/** Reads the manifests of models, each once: another version lies elsewhere. */
export function createModelFacts(installedModel: (id: string) => ModelRef | undefined): ModelFacts {
  const kept = new LRUCache<string, ModelManifest>({ max: maxKept });
  const read = async ({ dir, version }: ModelRef): Promise<ModelManifest | null> => {
    const path = join(dir, 'manifest.json');
    const known = kept.get(`${path} ${version}`);
    if (known) return known;
    try {
      const manifest = Value.Parse(ModelManifest, JSON.parse(await readFile(path, 'utf8')));
      kept.set(`${path} ${version}`, manifest);
      return manifest;
    } catch {
      // Removed meanwhile, or in a bucket and not fetched yet: it detects all the same.
      return null;
    }
  };
  return async (model) => {
    const refs = 'ref' in model ? [model.ref] : model.parts.flatMap((part) => installedModel(part) ?? []);
    const manifests = (await Promise.all(refs.map(read))).filter((each) => each !== null);
    const labels = new Set(manifests.flatMap((each) => each.labels.map(({ title }) => title)));
    return { labels: [...labels], ...sizeOf(manifests[0]?.input) };
  };
}

function sizeOf(input: ModelManifest['input'] | undefined): {
  readonly width: number;
  readonly height: number;
} {
  switch (input?.fit) {
    case 'squash':
    case 'letterbox':
      return { width: input.width, height: input.height };
    default:
      return { width: 0, height: 0 };
  }
}
