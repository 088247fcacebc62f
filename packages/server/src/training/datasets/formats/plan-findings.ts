import type { DatasetProblem } from '../findings.js';
import type { PlanFinding } from './plan.js';

/** Findings that are kept by themselves: a file of annotations can have as many as it has lines. */
const maxFindings = 50_000;

/** What is wrong with the files of a tree; the same of the same file is one finding. */
export class PlanFindings {
  readonly #byText = new Map<string, PlanFinding>();

  /** @param labels that are not taken because of it */
  add(problem: DatasetProblem, file: string | null, message: string, labels = 0): void {
    const key = JSON.stringify([problem, file, message]);
    if (!this.#byText.has(key) && this.#byText.size >= maxFindings && file !== null) {
      this.add(problem, null, `more of these, beyond the first ${maxFindings} findings`, labels);
      return;
    }
    const earlier = this.#byText.get(key)?.labels ?? 0;
    this.#byText.set(key, { problem, file, message, labels: earlier + labels });
  }

  list(): readonly PlanFinding[] {
    return [...this.#byText.values()];
  }
}
