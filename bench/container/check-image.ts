import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defaultModelsDir } from '@lynceus/engine';
import { freePort } from '../free-port.js';
import { runProgram } from './buildah.js';
import { type ConfinedService, startConfined } from './confined-service.js';
import type { ImageFacts } from './image-facts.js';
import { stopUnderLoad } from './stop-under-load.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
const drainTimeoutMs = 10_000;
/** A first start that downloads the models. */
const startTimeoutMs = 600_000;
/** At the moment of SIGTERM. */
const requestsUnderWay = 6;

export interface ImageUnderTest {
  /** The root of its files. */
  readonly files: string;
  readonly facts: ImageFacts;
  readonly scratch: string;
  readonly report: (step: string, result: string, sinceMs: number) => void;
}

/** Runs the image with a read-only root, as the user that it names and as another, and throws on the first fault. */
export async function checkImage({ files, facts, scratch, report }: ImageUnderTest): Promise<void> {
  if (!/^[1-9]\d*:[1-9]\d*$/.test(facts.user))
    throw new Error(
      `The image runs as ${JSON.stringify(facts.user)}, which is no user and group in numbers.`,
    );
  if (facts.stopSignal !== 'SIGTERM') throw new Error(`The image is stopped by ${facts.stopSignal}.`);
  report('user', facts.user, performance.now());

  await checkFirstStart({ files, facts, scratch, report });

  const volumes = await makeVolumes(scratch, facts, facts.user);
  const container = { files, facts, volumes, user: facts.user };
  const first = await startOf(container);
  report('ready, read-only root', 'yes', first.sinceMs);
  const fileid = await predict(first);
  report('prediction of the sample', 'stop sign', performance.now());
  await expectExit(runIn(first, facts.healthCheck), 0, 'the health check of a service that is ready');
  const list = ['lynceus', 'keys', 'list'];
  await expectExit(runIn(first, list), 0, 'a command beside the service');
  const modules = ['perl', '-MCompress::Zlib', '-MDigest::SHA', '-e', 'exit 0'];
  await expectExit(runIn(first, modules), 0, 'perl with the modules that exiftool needs');
  await stop(first, report);
  await expectExit(runIn(first, facts.healthCheck), 1, 'the health check of a service that has stopped');

  const second = await startOf(container);
  report('ready again, same volumes', 'yes', second.sinceMs);
  const kept = await fetch(`${second.url}/api/files/${fileid}`, { headers: { 'x-api-key': second.key } });
  if (!kept.ok) throw new Error(`The result of before the restart is answered ${kept.status}.`);
  report('result of before the restart', 'kept', second.sinceMs);
  const sinceMs = performance.now();
  const { answered, sentAway } = await stopUnderLoad(
    requestsUnderWay,
    () => askSample(second),
    () => expectStop(second),
  );
  const outcome = `exit code 0, ${answered} answered, ${sentAway} sent away`;
  report(`SIGTERM amid ${requestsUnderWay} requests`, outcome, sinceMs);

  // As some orchestrators choose users: any number, with the group 0.
  const user = '1000650000:0';
  const other = await startOf({ files, facts, user, volumes: await makeVolumes(scratch, facts, user) });
  report(`ready as ${user}`, 'yes', other.sinceMs);
  await predict(other);
  await stop(other, report);
}

/** With nothing in its volumes: the models are fetched from the registry of this machine. */
async function checkFirstStart({ files, facts, scratch, report }: ImageUnderTest): Promise<void> {
  const { user } = facts;
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
  const environment = { ...facts.environment, npm_config_registry: stdout.trim() };
  const volumes = await makeVolumes(scratch, facts, user, { hasModels: false });
  const empty = await startOf({ files, facts: { ...facts, environment }, user, volumes });
  report('ready with empty volumes', 'yes', empty.sinceMs);
  await predict(empty);
  await stop(empty, report);
}

/** Runs an image that has its models: without a volume for them, and without a registry to fetch any from. */
export async function checkModelsInside({ files, facts, scratch, report }: ImageUnderTest): Promise<void> {
  const { user } = facts;
  const environment = { ...facts.environment, npm_config_registry: 'http://127.0.0.1:9/' };
  const inside = { files, facts: { ...facts, environment }, user };
  const only = await startOf({ ...inside, volumes: await makeVolumes(scratch, facts, user) });
  report('ready with its own models', 'yes', only.sinceMs);
  await predict(only);
  report('prediction of the sample', 'stop sign', performance.now());
  await stop(only, report);
}

interface Container {
  readonly files: string;
  readonly facts: ImageFacts;
  readonly volumes: Readonly<Record<string, string>>;
  readonly user: string;
}

interface Running extends Container {
  readonly service: ConfinedService;
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly key: string;
  readonly sinceMs: number;
}

/** The key of every start, so that a second one has that of the first. */
const key = `container_${randomBytes(18).toString('base64url')}`;

/** Empty folders for the volumes of the image, but for the models of this machine, where it has them and they are wanted. */
async function makeVolumes(
  scratch: string,
  { volumes }: ImageFacts,
  user: string,
  { hasModels = true } = {},
): Promise<Readonly<Record<string, string>>> {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  const folder = await mkdtemp(join(scratch, 'volumes-'));
  await chmod(folder, 0o755);
  const made: Record<string, string> = {};
  for (const inside of volumes) {
    const outside = join(folder, inside);
    await mkdir(outside, { recursive: true });
    made[inside] = outside;
    const installed =
      process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
    if (hasModels && inside === '/models' && existsSync(installed))
      await cp(installed, outside, { recursive: true });
    // A volume belongs to the user, or to the group that its container has.
    await runProgram('chown', ['--recursive', `${gid === 0 ? 0 : uid}:${gid}`, outside]);
    await runProgram('chmod', ['--recursive', 'g+rwX', outside]);
    await chown(outside, gid === 0 ? 0 : uid, gid);
  }
  return made;
}

async function startOf(container: Container): Promise<Running> {
  const { files, facts, volumes, user } = container;
  const port = await freePort();
  const environment = {
    ...facts.environment,
    LYNCEUS_HOST: '127.0.0.1',
    LYNCEUS_PORT: String(port),
    LYNCEUS_FIRST_KEY: key,
    LYNCEUS_DRAIN_TIMEOUT_MS: String(drainTimeoutMs),
  };
  const sinceMs = performance.now();
  const { workingDir, words } = facts;
  const service = startConfined({ root: files, volumes, user, environment, workingDir, words });
  const url = `http://127.0.0.1:${port}`;
  let exitCode: number | null | undefined;
  void service.ended.then((code) => {
    exitCode = code;
  });
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    const isLate = performance.now() - sinceMs > startTimeoutMs;
    if (isLate) service.kill();
    if (isLate || exitCode !== undefined)
      throw new Error(`The container as ${user} did not become ready:\n${service.output()}`);
    await sleep(100);
  }
  const status = await readFile(`/proc/${await service.pid()}/status`, 'utf8');
  if (!/^CapEff:\s*0+$/m.test(status) || !new RegExp(`^Uid:\\s*${user.split(':')[0]}\\b`, 'm').test(status))
    throw new Error(`The service has other rights than ${user}:\n${status}`);
  return { ...container, service, environment, url, key, sinceMs };
}

async function sendSample({ url, key }: Running): Promise<Response> {
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(await readFile(samplePath))]), 'sample.jpg');
  return fetch(`${url}/predict/image`, { method: 'POST', headers: { 'x-api-key': key }, body: form });
}

/** Answers the id of the result. */
async function predict(running: Running): Promise<string> {
  const answer = await sendSample(running);
  const text = await answer.text();
  if (!answer.ok || !text.includes('stop sign'))
    throw new Error(`The sample was answered ${answer.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text).fileid;
}

async function askSample(running: Running): Promise<{ status: number; isToRetry: boolean }> {
  const answer = await sendSample(running);
  // An answer is one when all of it is there.
  await answer.arrayBuffer();
  return { status: answer.status, isToRetry: answer.headers.has('retry-after') };
}

/** Another program in the same container. */
function runIn(running: Running, words: readonly string[]): ConfinedService {
  const { files: root, volumes, user, environment, facts } = running;
  return startConfined({ root, volumes, user, environment, workingDir: facts.workingDir, words });
}

async function expectExit(program: ConfinedService, expected: number, what: string): Promise<void> {
  const code = await program.ended;
  if (code !== expected)
    throw new Error(`${what} ended with ${code} instead of ${expected}:\n${program.output()}`);
}

async function stop(running: Running, report: ImageUnderTest['report']): Promise<void> {
  const sinceMs = performance.now();
  await expectStop(running);
  report('SIGTERM', 'exit code 0', sinceMs);
}

async function expectStop({ service }: Running): Promise<void> {
  await service.terminate();
  const late = sleep(drainTimeoutMs + 5_000).then(() => 'late' as const);
  const code = await Promise.race([service.ended, late]);
  if (code === 'late') service.kill();
  if (code !== 0) throw new Error(`SIGTERM ended the container with ${code}:\n${service.output()}`);
}
