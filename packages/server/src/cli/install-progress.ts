import type { InstallProgress } from '@lynceus/engine';

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface InstallProgressView {
  show(progress: InstallProgress): void;
  close(): void;
}

const barWidth = 24;
const redrawMs = 100;
/** Steps of a whole installation: most of the wait is fetching. */
const weights = { waiting: 0, fetching: 0.75, converting: 0.25, installed: 1 };

/** One bar that is redrawn on a terminal; elsewhere, in a log say, one line for each step of each model. */
export function createInstallProgress(terminal: Terminal): InstallProgressView {
  return terminal.isTTY ? createBar(terminal) : createLines(terminal);
}

function createLines(terminal: Terminal): InstallProgressView {
  const said = new Set<string>();
  return {
    show(progress) {
      const line = `${progress.model}: ${describe(progress)}`;
      const step = `${progress.model} ${progress.stage}`;
      if (said.has(step)) return;
      said.add(step);
      terminal.write(`${line}\n`);
    },
    close() {},
  };
}

function createBar(terminal: Terminal): InstallProgressView {
  const startMs = Date.now();
  const models = new Map<string, InstallProgress>();
  let latest: InstallProgress | undefined;
  const draw = () => {
    if (latest === undefined) return;
    const done = [...models.values()].reduce((sum, model) => sum + share(model), 0) / models.size;
    const filled = Math.round(done * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const percent = `${Math.round(done * 100)}`.padStart(3);
    const seconds = Math.round((Date.now() - startMs) / 1000);
    const text = `Models ${bar} ${percent} %  ${seconds} s  ${latest.model}: ${describe(latest)}`;
    terminal.write(`\r\x1b[K${text.slice(0, (terminal.columns ?? 80) - 1)}`);
  };
  // npm reports no progress of a download; the clock shows that it goes on.
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  return {
    show(progress) {
      models.set(progress.model, progress);
      latest = progress;
    },
    close() {
      clearInterval(timer);
      if (latest === undefined) return;
      draw();
      terminal.write('\n');
    },
  };
}

function share({ stage, bytesDone, bytesTotal }: InstallProgress): number {
  if (stage === 'fetching') return bytesTotal > 0 ? (weights.fetching * bytesDone) / bytesTotal : 0;
  if (stage === 'converting') return weights.fetching + weights.converting / 2;
  return weights[stage];
}

function describe({ stage, bytesDone, bytesTotal }: InstallProgress): string {
  switch (stage) {
    case 'waiting':
      return 'waiting for another installation into the same folder';
    case 'fetching':
      return bytesDone > 0 && bytesDone < bytesTotal
        ? `fetching ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`
        : `fetching${bytesTotal > 0 ? ` ${formatBytes(bytesTotal)}` : ''}`;
    case 'converting':
      return 'converting';
    case 'installed':
      return 'installed';
  }
}

/** `23.9 MB`; decimal, as disks and downloads are sold. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
