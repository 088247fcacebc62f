import { spawn } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

/** Buildah with images and containers of its own, beside those of this machine. */
export interface Buildah {
  /** Runs one command and answers what it printed, trimmed; a failure has the end of its output. */
  run(...words: readonly string[]): Promise<string>;
}

/**
 * @param folder where its images and containers lie; kept, so that the next build finds the base
 * @param scratch where the state of this run lies; deleted with it
 */
export async function openBuildah(folder: string, scratch: string): Promise<Buildah> {
  await mkdir(folder, { recursive: true });
  const runRoot = await mkdtemp(join(scratch, 'run-'));
  const first = ['--root', join(folder, 'storage'), '--runroot', runRoot];
  const driver = await chooseDriver(first);
  return { run: (...words) => runProgram('buildah', [...first, '--storage-driver', driver, ...words]) };
}

/** Layers as overlays, where the kernel mounts them; copies of all files otherwise, which take longer and more space. */
async function chooseDriver(first: readonly string[]): Promise<'overlay' | 'vfs'> {
  const asks = runProgram('buildah', [...first, '--storage-driver', 'overlay', 'info']);
  return asks.then(
    () => 'overlay' as const,
    () => 'vfs' as const,
  );
}

/** Answers standard output, trimmed. */
export async function runProgram(command: string, words: readonly string[]): Promise<string> {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let recent = '';
  const hear = (text: string) => {
    recent = (recent + text).slice(-3000);
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    hear(text);
  });
  child.stderr.setEncoding('utf8').on('data', hear);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${[command, ...words].join(' ')} failed (${code}):\n${recent}`);
  return printed.trim();
}
