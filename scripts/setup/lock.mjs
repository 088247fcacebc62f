import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './setup-error.mjs';

const beatMs = 2_000;
const staleMs = 15_000;

/** Runs `work` while no other start in this clone does; its file is renewed while it is held, so it cannot stay behind. */
export async function withSetupLock(path, { onWait }, work) {
  const token = `${hostname()} ${process.pid} ${randomUUID()}`;
  let waited = false;
  while (!(await take(path, token))) {
    if (!waited) onWait();
    waited = true;
    await breakStale(path);
    await sleep(200);
  }
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if ((await readFile(path, 'utf8').catch(() => '')) === token) await rm(path, { force: true });
  }
}

async function take(path, token) {
  try {
    await writeFile(path, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new SetupError(
      `This folder has to be set up and cannot be written (${error.code}: ${path}). Run npm start once as its owner.`,
    );
  }
}

async function breakStale(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  const isOld = Date.now() - found.mtimeMs > staleMs;
  if (!isOld && !holderDied(await readFile(path, 'utf8').catch(() => ''))) return;
  const aside = `${path}.${randomUUID()}`;
  // Of several who break it, one rename succeeds.
  await rename(path, aside).then(
    () => rm(aside, { force: true }),
    () => {},
  );
}

function holderDied(token) {
  const [host, pid] = token.split(' ');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
