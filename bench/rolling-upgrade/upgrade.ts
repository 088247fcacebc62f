import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplicaName } from '../chaos/installation.js';
import { createLedger, type Ledger } from '../crash/ledger.js';
import { askApi } from '../drop-crash/drop-under-test.js';
import { readObject } from '../load/outcome.js';
import { runCommand } from '../service.js';
import { administrator } from '../sign-in.js';
import { checkUpgraded } from './check.js';
import {
  firstKey,
  type Replacement,
  startInstallation,
  type UpgradedInstallation,
  type Version,
} from './installation.js';
import { startLoad } from './load.js';
import { type MoreLedger, type UpgradeStage, upgradeOperations } from './operations.js';
import { createExperience, type Experience } from './retrying-visitor.js';
import { makeDrop, startUploads, type UploadExperience } from './uploads.js';

export interface UpgradeOptions {
  readonly from: Version;
  readonly to: Version;
  /** Whether the last replica of the older version is restarted on the tables of the newer one, as after a crash. */
  readonly restartsOld: boolean;
  readonly clients: number;
  /** Under load before the first replacement, with both versions, and after the last. */
  readonly seconds: number;
  /** Of the replicas, where their version has this setting. */
  readonly drainDelayMs: number;
  /** Faces searched for through each replica at the end. */
  readonly searches: number;
  readonly log: (line: string) => void;
}

export interface Upgrade {
  readonly experience: Experience;
  readonly uploads: UploadExperience;
  readonly ledger: Ledger;
  readonly more: MoreLedger;
  readonly replacements: Readonly<Record<ReplicaName, Replacement>>;
  /** Of the older version; null where that was not asked for. */
  readonly restart: Replacement | null;
  readonly loadSeconds: number;
  /** Descriptions of what was lost or counted wrongly. */
  readonly findings: readonly string[];
}

const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);
/** Of the output of the replicas, for the case that one does not start. */
const shownCharacters = 4000;

/** Replaces two replicas one after the other under load, and compares what is there with what was acknowledged. */
export async function upgradeUnderLoad(options: UpgradeOptions): Promise<Upgrade> {
  const { from, to, seconds, log } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-upgrade-'));
  let output = '';
  const installation = await startInstallation(dir, {
    version: from,
    drainDelayMs: options.drainDelayMs,
    onOutput: (text) => {
      output = (output + text).slice(-shownCharacters);
    },
  });
  try {
    const stage = await prepareStage(installation, from);
    const experience = createExperience();
    const uploads: UploadExperience = { repeated: 0, longestMs: 0, errors: [] };
    const { ftpPort, dropFolder, replicas, url } = installation;
    const drop = await makeDrop(url, firstKey, ftpPort, dropFolder);
    const startedAtMs = performance.now();
    const load = startLoad(url, stage, {
      clients: options.clients,
      operations: upgradeOperations,
      experience,
    });
    const uploading = startUploads(drop, stage.more, uploads);
    const endLoad = () => Promise.all([load.over(), uploading.over()]);
    const replace = async (name: ReplicaName, version: Version) => {
      await sleep(seconds * 1000);
      const words = version === to ? 'replaced' : 'restarted with the version that it has';
      log(`replica ${name} is ${words}, after ${experience.answered} answers`);
      return replicas[name].replace(version);
    };
    const replaceBoth = async () => {
      const one = await replace('one', to);
      const restart = options.restartsOld ? await replace('two', from) : null;
      const two = await replace('two', to);
      await sleep(seconds * 1000);
      return { replacements: { one, two }, restart };
    };
    const replaced = await replaceBoth().finally(endLoad);
    const loadSeconds = (performance.now() - startedAtMs) / 1000;
    const findings = await checkUpgraded(installation, stage, options.searches);
    const { ledger, more } = stage;
    return { experience, uploads, ledger, more, ...replaced, loadSeconds, findings };
  } catch (error) {
    log(output);
    throw error;
  } finally {
    await installation.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What the load needs, made by the version of the start. */
async function prepareStage(
  { url, settings, replicas }: UpgradedInstallation,
  { bundle, settings: known }: Version,
): Promise<Omit<UpgradeStage, 'visitor'>> {
  const taken = Object.entries(settings).filter(([key]) => !key.startsWith('LYNCEUS_') || known.has(key));
  const command = (...words: readonly string[]) => runCommand(words, Object.fromEntries(taken), bundle);
  const limited = String(
    readObject(await command('keys', 'create', '--account', 'limited', '--json'))['key'],
  );
  // What the replicas printed at their start is no longer valid where each of them made one.
  const link = await command('users', 'link', '--first');
  const entered = await fetch(`${replicas.one.url}/api/links/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...administrator, token: link.slice(link.indexOf('#') + 1) }),
  });
  if (entered.status !== 201) throw new Error(`the first link was answered ${await entered.text()}`);
  const make = (path: string, body: object) => askApi({ url }, firstKey, 'POST', path, body);
  const perception = await make('/api/perceptions', { name: 'upgraded' });
  const dataset = await make('/api/datasets', { name: 'drawings', task: 'classification' });
  return {
    keys: { unlimited: firstKey, limited },
    image: await readFile(samplePath),
    modelId: Number(perception['model_id']),
    datasetId: Number(dataset['id']),
    ledger: createLedger(),
    more: { datasetImages: new Map(), sessions: [], uploads: new Map(), searches: 0 },
  };
}
