import { fork } from 'node:child_process';
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
 * memory, and a service may be at work here. The message of a rejection says what is wrong with the model.
 */
export function convert(request: ConvertRequest, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./convert-process.js', import.meta.url), { execArgv: [], stdio: 'inherit' });
    let reply: ConvertReply | undefined;
    const abort = () => child.kill('SIGKILL');
    signal.addEventListener('abort', abort, { once: true });
    child.once('message', (message: ConvertReply) => {
      reply = message;
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (reply?.ok) resolve();
      else reject(new Error(reply?.message ?? `the conversion ended with ${killedBy ?? `code ${code}`}`));
    });
    child.send(request);
  });
}
