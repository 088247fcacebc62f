import { spawn } from 'node:child_process';
import { root } from '../setup/prepare.mjs';

/** Runs a Node script in the clone, its words going where ours go; answers its exit code. */
export function runWithInheritedStdio(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' });
    // Ctrl-C reaches the child as well; what is left to us is to wait for it.
    const wait = () => {};
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', wait).on('SIGTERM', pass);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', wait).off('SIGTERM', pass);
      resolve(code ?? 1);
    });
  });
}
