import { BaseSequencer } from 'vitest/node';

/** Those that take longest on two quiet cores, from the longest on. */
const longest = [
  'test/dist/console/every-page.',
  'test/dist/crash.',
  'test/dist/account-deletion.',
  'test/dist/replicas/chaos.',
  'test/dist/data-safety.',
  'test/dist/replicas/shared-bucket.',
  'test/dist/streams/streams.',
  'test/dist/isolation-of-time.',
  'test/dist/postgres/service.',
  'test/dist/package/install.',
  'test/dist/console/labelling.',
  'test/dist/train-detector.',
  'test/dist/video-crash.',
  'test/dist/replicas/moved-blobs.',
  'test/dist/replicas/shared-drops.',
  'test/dist/console/faces.',
  'test/dist/bulk-enrolment.',
  'test/dist/replicas/rolling-upgrade.',
  'test/dist/stop/stop.slow.',
  'packages/engine/dist/training/trainer.slow.',
  'packages/engine/dist/uploads/refusals.slow.',
  'packages/server/dist/streams/decoding/keep-decoding.slow.',
  'packages/server/dist/streams/routes/running.slow.',
  'packages/server/dist/start/run-service.slow.',
  'packages/server/dist/start/replaced-key.',
];

/**
 * The order that vitest has of earlier runs, or without them of sizes, but for the few long ones: one that comes last keeps
 * a core idle until it ends.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }) => {
      const rank = longest.findIndex((path) => moduleId.includes(path));
      return rank < 0 ? longest.length : rank;
    };
    // Projects stay together: a process serves one.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((each) =>
      sorted.filter(({ project }) => project === each).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
