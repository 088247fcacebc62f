import { bindHead } from './assemble/registry.js';
import { assembleTfjs, readTfjsSource } from './assemble/tfjs-model.js';
import { assembleTflite } from './assemble/tflite-model.js';
import type { GraphBuilder } from './graph/graph-builder.js';
import { ImportError } from './import-error.js';
import { writeModel } from './proto/codec.js';
import type { Recipe } from './recipe.js';

/**
 * Converts a source's files to one ONNX model that keeps the contract of its family (`catalog/manifest.ts`). Takes
 * seconds of the calling thread for a large model: call it where nothing is served.
 * @param files The source's files by the names that `recipe` uses.
 * @returns The bytes of `model.onnx`.
 * @throws ImportError when a file is missing or cannot be converted.
 */
export function buildModel(recipe: Recipe, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return writeModel(assemble(recipe, files).finish(recipe.head.head));
}

function assemble(recipe: Recipe, files: ReadonlyMap<string, Uint8Array>): GraphBuilder {
  const file = (name: string): Uint8Array => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new ImportError(`the source has no file ${name}`);
    return bytes;
  };
  const head = bindHead(recipe.head);
  switch (recipe.importer) {
    case 'tflite':
      return assembleTflite(file(recipe.file), recipe.weights, head);
    case 'tfjs':
      return assembleTfjs(readTfjsSource(file(recipe.file), recipe.shards.map(file)), recipe.input, head);
  }
}
