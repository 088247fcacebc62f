import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ReplicaOrder, ReplicaReport } from './order.js';

export interface Replica {
  /** Ids of the calls that were acknowledged until now. */
  readonly acknowledged: readonly string[];
  /** Resolves when the process has ended: with its report, or null when it was killed. */
  readonly ended: Promise<ReplicaReport | null>;
  kill(): void;
}

const replicaPath = fileURLToPath(new URL('./replica.js', import.meta.url));

export function runReplica(order: ReplicaOrder): Replica {
  const child = spawn(process.execPath, [replicaPath, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  let report: ReplicaReport | null = null;
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{')) report = JSON.parse(line) as ReplicaReport;
      else acknowledged.push(line);
    }
  });
  const ended = new Promise<ReplicaReport | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(report);
      else reject(new Error(`a replica ended with ${code ?? signal}`));
    });
  });
  // Whoever waits for it later hears of a failure then.
  ended.catch(() => undefined);
  return { acknowledged, ended, kill: () => child.kill('SIGKILL') };
}
