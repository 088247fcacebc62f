import type { Job } from '../jobs/job.js';
import { count, percent } from '../models/reports/page/figures.js';
import type { TrainingReport } from '../models/reports/training-report.js';
import type { Terminal } from './install-progress.js';

export interface TrainingView {
  show(job: Pick<Job, 'state' | 'progress'>): void;
  /** Takes the bar away. */
  close(): void;
}

const barWidth = 24;

/** A bar that is drawn again on a terminal; elsewhere a line for each stage. */
export function createTrainingView(terminal: Terminal): TrainingView {
  let saidStage: string | undefined;
  return {
    show({ state, progress: { stage, done, total, secondsLeft } }) {
      const what = state === 'waiting' || stage === null ? 'waiting' : stage;
      if (!terminal.isTTY) {
        if (what !== saidStage) terminal.write(`training: ${what}\n`);
        saidStage = what;
        return;
      }
      const share = what === 'waiting' || !total ? 0 : Math.min(1, done / total);
      const filled = Math.round(share * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const steps = what === 'waiting' || !total ? '' : `  ${done} of ${total}`;
      const left = secondsLeft === null || secondsLeft === undefined ? '' : `  ${secondsLeft} s left`;
      terminal.write(
        `\r\x1b[K${`Training ${bar} ${what}${steps}${left}`.slice(0, (terminal.columns ?? 80) - 1)}`,
      );
    },
    close() {
      if (terminal.isTTY) terminal.write('\r\x1b[K');
    },
  };
}

/** What a training measured, a line each. */
export function describeReport(report: TrainingReport): readonly string[] {
  const basis = (how: string, images: number) =>
    `measured on ${count(images, 'image')} ${how === 'held-out' ? 'that were held out' : 'by cross-validation'}`;
  if (report.kind === 'object_detection') {
    const { overall, measuredOn, measuredWith } = report;
    return [
      `AP50 ${percent(overall.ap50)}, AP ${percent(overall.ap)}; at a score of 0.4: precision ${percent(overall.precision)}, recall ${percent(overall.recall)}`,
      basis(measuredWith, measuredOn.images),
    ];
  }
  const { accuracy, balancedAccuracy, interval, images } = report.figures;
  return [
    `accuracy ${percent(accuracy)} (95 %: ${percent(interval.low)} to ${percent(interval.high)}), balanced ${percent(balancedAccuracy)}`,
    basis(report.measuredOn, images),
  ];
}
