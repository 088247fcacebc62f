import type { Job } from '../service/jobs/job.js';
import type { Terminal } from './install-progress.js';

const barWidth = 24;

/**
 * The progress of a job: a bar that is drawn again on a terminal; elsewhere a line for each stage.
 * @param title such as `Training`
 */
export function createJobView(terminal: Terminal, title: string) {
  let saidStage: string | undefined;
  return {
    show({ state, progress: { stage, done, total, secondsLeft } }: Pick<Job, 'state' | 'progress'>) {
      const what = state === 'waiting' || stage === null ? 'waiting' : stage;
      if (!terminal.isTTY) {
        if (what !== saidStage) terminal.write(`${title.toLowerCase()}: ${what}\n`);
        saidStage = what;
        return;
      }
      const share = what === 'waiting' || !total ? 0 : Math.min(1, done / total);
      const filled = Math.round(share * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const steps = what === 'waiting' || !total ? '' : `  ${done} of ${total}`;
      const left = secondsLeft === null || secondsLeft === undefined ? '' : `  ${secondsLeft} s left`;
      terminal.write(
        `\r\x1b[K${`${title} ${bar} ${what}${steps}${left}`.slice(0, (terminal.columns ?? 80) - 1)}`,
      );
    },
    /** Takes the bar away. */
    close() {
      if (terminal.isTTY) terminal.write('\r\x1b[K');
    },
  };
}
