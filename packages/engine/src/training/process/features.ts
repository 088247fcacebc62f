import { endWithParent } from '../../child-process/end-with-parent.js';
import { confineSharp } from '../../image/confine-sharp.js';
import { loadDetector } from '../detector/anchor-graph.js';
import { openAnchorFeatures } from '../detector/extract-anchors.js';
import { loadBackbone, openPooledFeatures } from '../extract-features.js';
import type { FeatureSource } from '../feature-source.js';
import type { FeatureWork } from '../share-out.js';
import type { TrainingImage } from '../training-job.js';
import type { FeatureCommand } from './messages.js';

// A process that computes features beside that of a training: it is given the work, then image after image, and answers each
// when its features are in the cache, or when they cannot be computed; that of the training tries again and finds out why.

endWithParent();
confineSharp();

let source: Promise<FeatureSource<unknown>> | undefined;
process.on('message', (command: FeatureCommand) => {
  if ('work' in command) source = openSource(command.work);
  else void compute(command.image);
});

async function compute(image: TrainingImage): Promise<void> {
  const opened = await source?.catch(() => process.exit(1));
  await opened?.compute(image).catch(() => undefined);
  process.send?.({}, undefined, undefined, () => {});
}

async function openSource(work: FeatureWork): Promise<FeatureSource<unknown>> {
  return work.kind === 'classification'
    ? openPooledFeatures(work, await loadBackbone(work))
    : openAnchorFeatures(work, await loadDetector(work.backbone));
}
