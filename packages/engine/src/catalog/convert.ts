import { ChildHost } from '../child-process/child-host.js';
import type { Recipe } from '../onnx/recipe.js';

export interface ConvertRequest {
  readonly recipe: Recipe;
  /** The names that the recipe uses, with the paths of the files. */
  readonly files: Readonly<Record<string, string>>;
  /** Where `model.onnx` is written; on disk when the conversion is done. */
  readonly outPath: string;
}

export type ConvertReply = { readonly ok: true } | { readonly ok: false; readonly message: string };

/**
 * Converts a model in a process of its own: it takes seconds of a thread and several times the model's size in
 * memory, and a service may be running here. The message of a rejection says what is wrong with the model.
 */
export async function convert(request: ConvertRequest, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let reply: ConvertReply | undefined;
  const child = new ChildHost({
    entry: new URL('./convert-process.js', import.meta.url),
    serialization: 'json',
    output: 'stderr',
    // A service may be answering on the same cores.
    niceness: 10,
    onMessage: (message) => {
      reply = message as ConvertReply;
    },
  });
  child.watch({ signal }, () => {});
  child.send(request);
  const { cause } = await child.exited;
  signal.throwIfAborted();
  if (!reply?.ok) throw new Error(reply?.message ?? `the conversion ended with ${cause}`);
}
