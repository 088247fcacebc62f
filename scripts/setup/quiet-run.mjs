import { spawn } from 'node:child_process';
import { SetupError } from './setup-error.mjs';

/** Runs a command without a word; when it fails, everything it said is in the error. */
export function runQuietly(command, args, { cwd, env, failure }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, printed] = [[], []];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.stdout.on('data', (chunk) => printed.push(chunk));
    const pass = (signal) => child.kill(signal);
    process.once('SIGINT', pass).once('SIGTERM', pass);
    const end = () => process.off('SIGINT', pass).off('SIGTERM', pass);
    child.once('error', (error) => {
      end();
      reject(new SetupError(`${failure}: ${command} cannot be started (${error.code ?? error.message}).`));
    });
    child.once('close', (code, signal) => {
      end();
      const textOf = (chunks) => Buffer.concat(chunks).toString('utf8').trimEnd();
      // What npm prints beside it, such as notices, is no part of its answer.
      if (code === 0) resolve(textOf(printed));
      else reject(new SetupError(`${textOf(said)}\n\n${failure} (${signal ?? `exit code ${code}`}).`));
    });
  });
}
