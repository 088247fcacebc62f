import { setTimeout as sleep } from 'node:timers/promises';
import { readKept } from './check.js';
import { type Killed, killed } from './faults.js';
import { type Installation, startInstallation } from './installation.js';

export interface KillTrial {
  /** Descriptions of broken guarantees. */
  readonly findings: readonly string[];
  readonly events: number;
  /** Events that came once more, after an answer that was lost. */
  readonly repeated: { readonly webhook: number; readonly broker: number };
}

/** Until events come again after a kill. */
const recoversWithinMs = 90_000;

/**
 * Kills something again and again amid the work of a stream: no event is lost, each output gets them in order, files and rows agree, and
 * availability is right. Ends with the first finding.
 */
export async function killAmidStream(options: {
  readonly rounds: number;
  readonly log: (line: string) => void;
}): Promise<KillTrial> {
  const installation = await startInstallation();
  try {
    return await killInTurns(installation, options);
  } finally {
    await installation.close();
  }
}

async function killInTurns(
  installation: Installation,
  { rounds, log }: { readonly rounds: number; readonly log: (line: string) => void },
): Promise<KillTrial> {
  const { dataDir, taken } = installation;
  const findings: string[] = [];
  const until = async (isSo: () => boolean, what: string): Promise<void> => {
    const deadline = performance.now() + recoversWithinMs;
    while (!isSo()) {
      if (performance.now() > deadline) {
        findings.push(`not within ${recoversWithinMs / 1000} s: ${what}`);
        return;
      }
      await sleep(200);
    }
  };
  const isSaid = (word: string) => () => installation.availability() === word;
  const round = async (victim: Killed): Promise<string> => {
    await sleep(Math.random() * 5000);
    const before = Math.max(0, ...taken);
    const whenGone = () => until(isSaid('offline'), 'offline after kill -9');
    findings.push(...(await installation.kill(victim, whenGone)));
    await until(() => Math.max(0, ...taken) > before + 1, `events after ${victim} was killed`);
    await until(isSaid('online'), `online after ${victim} was killed`);
    const kept = await readKept(dataDir, taken);
    findings.push(...kept.findings);
    return (
      `${victim}: ${kept.events} events of ${kept.tracks} tracks, ${kept.files} files, ${kept.filesWithoutRow} for the sweep; ` +
      `${taken.length} received, ${repeatedIn(taken)} twice`
    );
  };

  await until(() => taken.length > 2, 'the first events');
  for (let count = 0; count < rounds * killed.length && findings.length === 0; count += 1) {
    const line = await round(killed[count % killed.length] ?? 'ffmpeg');
    const found = findings.length === 0 ? 'nothing lost' : `FOUND: ${findings.join('; ')}`;
    log(`${String(count + 1).padStart(3)}  ${line}; ${found}`);
  }
  const last = await readKept(dataDir, taken);
  const heard = installation.heard();
  const delivered = Math.min(...last.deliveredSeqs);
  const missing = taken.filter((seq) => seq <= delivered && !heard.includes(seq));
  if (missing.length > 0)
    findings.push(`the broker never got ${missing.length} events, such as ${missing[0]}`);
  return {
    findings,
    events: last.events,
    repeated: { webhook: repeatedIn(taken), broker: repeatedIn(heard) },
  };
}

const repeatedIn = (seqs: readonly number[]) => seqs.length - new Set(seqs).size;
