import { presentBundle } from '../single-service.js';
import { buildVersion, settingsOf } from './old-version.js';
import { type Upgrade, upgradeUnderLoad } from './upgrade.js';

const clients = 6;
const drainDelayMs = 5000;
/** Of faces, through each replica. */
const searches = 40;

/**
 * Upgrades two replicas of a commit to the present version under load; throws when a client with retries saw an error, or when something
 * that was acknowledged is lost or counted wrongly.
 * @param from what Git resolves
 */
export async function runRollingUpgrade({
  from,
  seconds,
}: {
  readonly from: string | undefined;
  readonly seconds: number;
}): Promise<void> {
  if (from === undefined) throw new Error('--from is missing: a commit, such as HEAD');
  if (!(seconds > 0)) throw new Error('--seconds must be above 0');
  const log = (line: string) => console.log(line);
  const old = await buildVersion(from, log);
  log(`From ${old.commit.slice(0, 8)} (${old.subject}) to this version, ${clients} clients`);
  const to = { bundle: presentBundle, settings: await settingsOf(presentBundle) };
  const upgrade = await upgradeUnderLoad({
    ...{ from: old, to, restartsOld: true, clients, seconds, drainDelayMs, searches, log },
  });
  for (const line of reportOf(upgrade)) log(line);
  const wrong = problemsOf(upgrade);
  for (const line of wrong) log(`FOUND: ${line}`);
  if (wrong.length > 0) throw new Error(`${wrong.length} findings: a guarantee is broken`);
}

/** Empty when every request was answered in the end, and everything is there. */
export function problemsOf({ experience, uploads, findings }: Upgrade): readonly string[] {
  return [...experience.errors, ...uploads.errors, ...findings];
}

function reportOf(upgrade: Upgrade): readonly string[] {
  const { experience, uploads, ledger, more, replacements, restart, findings } = upgrade;
  const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const repeated = [...experience.repeated].map(([outcome, count]) => `${count} × ${outcome}`);
  const away = ({ stoppedMs, startedMs }: (typeof replacements)['one']) =>
    `${inSeconds(stoppedMs)} to stop, ${inSeconds(startedMs)} to start`;
  const { unlimited, limited } = ledger.calls;
  return [
    `Under load for ${upgrade.loadSeconds.toFixed(0)} s: ${experience.answered} answers, ${experience.errors.length + uploads.errors.length} errors after retries`,
    `Sent again: ${repeated.join(', ') || 'nothing'}`,
    `Longest time without an answer ${inSeconds(experience.longestGapMs)}; longest request with its retries ${inSeconds(experience.longestRequestMs)}`,
    `Replica one: ${away(replacements.one)}. Replica two: ${away(replacements.two)}`,
    `Restart of the older version on the newer tables: ${restart === null ? 'left out' : away(restart)}`,
    `Calls answered ${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, sent ${unlimited.sent} + ${limited.sent}`,
    `Acknowledged: ${ledger.keys.size} keys, ${ledger.files.size} analyses, ${more.sessions.length} sessions, ` +
      `${ledger.faces.images.size} face images (${ledger.faces.changed} changes), ${more.searches} searches, ` +
      `${more.datasetImages.size} images of a dataset, ${more.uploads.size} files by FTP (${uploads.repeated} attempts again, longest ${inSeconds(uploads.longestMs)})`,
    `Lost or counted wrongly: ${findings.length}`,
  ];
}
