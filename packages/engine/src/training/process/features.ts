import { endWithParent } from '../../child-process/end-with-parent.js';
import { confineSharp } from '../../image/confine-sharp.js';
import { loadDetector } from '../detector/anchor-graph.js';
import { openAnchorFeatures } from '../detector/extract-anchors.js';
import { loadBackbone, openPooledFeatures } from '../extract-features.js';
import type { FeatureSource, FeatureWork } from '../feature-source.js';
import { tryToCompute } from '../share-out.js';
import type { FeatureAnswer, FeatureCommand } from './messages.js';

// A process that computes features beside that of a training run: it is given the work, then image after image. Whatever else than an
// image that cannot be opened ends it; the process of the run tries again what it had, and finds out why.

endWithParent();
confineSharp();

let source: FeatureSource<unknown> | undefined;
let last = Promise.resolve();
process.on('message', (command: FeatureCommand) => {
  last = last.then(() => follow(command)).catch(() => process.exit(1));
});

async function follow(command: FeatureCommand): Promise<void> {
  if ('work' in command) {
    source = await openSource(command.work);
    return;
  }
  if (!source) throw new Error('images come after the work');
  const answer: FeatureAnswer = { isKept: await tryToCompute(source, command.image) };
  process.send?.(answer, undefined, undefined, () => {});
}

async function openSource(work: FeatureWork): Promise<FeatureSource<unknown>> {
  return work.kind === 'classification'
    ? openPooledFeatures(work, await loadBackbone(work))
    : openAnchorFeatures(work, await loadDetector(work.backbone));
}
