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
  readonly clients: number;
  /** Under load before the first replacement, with both versions, and after the last. */
  readonly seconds: number;
  readonly log: (line: string) => void;
}

export interface Upgrade {
  readonly hasBucket: boolean;
  readonly experience: Experience;
  readonly uploads: UploadExperience;
  readonly ledger: Ledger;
  readonly more: MoreLedger;
  readonly replacements: Readonly<Record<ReplicaName, Replacement>>;
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
  const installation = await startInstallation(dir, from, (text) => {
    output = (output + text).slice(-shownCharacters);
  });
  try {
    const stage = await prepareStage(installation, from);
    const hasBucket = installation.store !== null;
    const experience = createExperience();
    const uploads: UploadExperience = { repeated: 0, longestMs: 0, errors: [] };
    const { ftpPort, dropFolder, replicas, url } = installation;
    const drop = hasBucket ? await makeDrop(url, firstKey, ftpPort, dropFolder) : null;
    const startedAtMs = performance.now();
    const load = startLoad(url, stage, {
      clients: options.clients,
      operations: upgradeOperations(hasBucket),
      experience,
    });
    const uploading = drop && startUploads(drop, stage.more, uploads);
    const endLoad = () => Promise.all([load.over(), uploading?.over()]);
    const replace = async (name: ReplicaName) => {
      await sleep(seconds * 1000);
      log(`replica ${name} is replaced, after ${experience.answered} answers`);
      return replicas[name].replace(to);
    };
    const replaceBoth = async () => {
      const replaced = { one: await replace('one'), two: await replace('two') };
      await sleep(seconds * 1000);
      return replaced;
    };
    const replacements = await replaceBoth().finally(endLoad);
    const loadSeconds = (performance.now() - startedAtMs) / 1000;
    const findings = await checkUpgraded(installation, stage);
    const { ledger, more } = stage;
    return { hasBucket, experience, uploads, ledger, more, replacements, loadSeconds, findings };
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
  { url, settings, replicas, store, firstLink }: UpgradedInstallation,
  { bundle, settings: known }: Version,
): Promise<Omit<UpgradeStage, 'visitor'>> {
  const taken = Object.entries(settings).filter(([key]) => !key.startsWith('LYNCEUS_') || known.has(key));
  const words = ['keys', 'create', '--account', 'limited', '--json'];
  const limited = String(readObject(await runCommand(words, Object.fromEntries(taken), bundle))['key']);
  const link = await firstLink;
  const entered = await fetch(`${replicas.one.url}/api/links/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...administrator, token: link.slice(link.indexOf('#') + 1) }),
  });
  if (entered.status !== 201) throw new Error(`the first link was answered ${await entered.text()}`);
  const make = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> =>
    store ? askApi({ url }, firstKey, 'POST', path, body) : {};
  const perception = await make('/api/perceptions', { name: 'upgraded' });
  const dataset = await make('/api/datasets', { name: 'drawings', task: 'classification' });
  return {
    keys: { unlimited: firstKey, limited },
    image: await readFile(samplePath),
    modelId: Number(perception['model_id'] ?? 0),
    datasetId: Number(dataset['id'] ?? 0),
    ledger: createLedger(),
    more: { datasetImages: new Map(), sessions: [], uploads: new Map(), searches: 0 },
  };
}
