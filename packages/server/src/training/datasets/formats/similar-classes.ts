import type { Plan, PlanFinding } from './plan.js';
import { PlanFindings } from './plan-findings.js';

/** Classes whose names differ in capital letters alone: they stay apart, and may be meant as one. */
export function findingsOfSimilar(classes: Plan['classes']): readonly PlanFinding[] {
  const groups = new Map<string, string[]>();
  for (const name of classes) {
    const key = name.normalize('NFC').toLowerCase();
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  const findings = new PlanFindings();
  for (const names of groups.values()) {
    if (names.length < 2) continue;
    const list = names.join(' and ');
    const message = `${list} differ in capital letters alone and are classes of their own: rename one where they are the same`;
    findings.add('unclear', null, message);
  }
  return findings.list();
}
