import { lstatSync } from 'node:fs';
import type { TagView } from './tag-view.js';

/** The view of one look after another: a file that fails as before, and did not change since, is not shown once more. */
export function withoutRepeats<View extends Pick<TagView, 'showTagged'>>(view: View): View {
  const failures = new Map<string, string>();
  return {
    ...view,
    showTagged(verdict) {
      const { path, outcome, reason } = verdict;
      if (outcome === 'failed') {
        const failure = `${reason} ${stateOf(path)}`;
        if (failures.get(path) === failure) return;
        failures.set(path, failure);
      } else {
        failures.delete(path);
      }
      view.showTagged(verdict);
    },
  };
}

function stateOf(path: string): string {
  try {
    const { dev, ino, size, mode, mtimeMs, ctimeMs } = lstatSync(path);
    return [dev, ino, size, mode, mtimeMs, ctimeMs].join(' ');
  } catch {
    return 'missing';
  }
}
