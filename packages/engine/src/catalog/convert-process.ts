import { readFile } from 'node:fs/promises';
import { endWithParent } from '../child-process/end-with-parent.js';
import { buildModel } from '../onnx/build-model.js';
import { ImportError } from '../onnx/import-error.js';
import type { ConvertReply, ConvertRequest } from './convert.js';
import { writeSynced } from './durable-file.js';

// The child of `convert`: one request, one reply, then it exits.
process.once('message', async (request: ConvertRequest) => {
  const reply = await run(request);
  process.send?.(reply, () => process.exit());
});
endWithParent();

async function run({ recipe, files, outPath }: ConvertRequest): Promise<ConvertReply> {
  try {
    const contents = new Map<string, Uint8Array>();
    for (const [name, path] of Object.entries(files)) contents.set(name, await readFile(path));
    await writeSynced(outPath, buildModel(recipe, contents));
    return { ok: true };
  } catch (error) {
    if (error instanceof ImportError) return { ok: false, message: error.message };
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
