/** `@lynceus/engine/onnx`: converting models, for tools beside the service such as the benchmarks. */
export { type BuildOptions, buildModel } from './build-model.js';
export { ImportError } from './import-error.js';
export { readModel, writeModel } from './proto/codec.js';
export { Recipe } from './recipe.js';
