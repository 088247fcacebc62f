import { BaseSequencer } from 'vitest/node';

/** Those that take longest on two quiet cores, from the longest on. */
const longest = [
  'test/dist/console/every-page.test.js',
  'test/dist/console/story.test.js',
  'test/dist/crash.test.js',
  'test/dist/train-by-command.test.js',
  'test/dist/postgres/service.test.js',
  'test/dist/train-detector.test.js',
  'test/dist/train-detector-through-http.test.js',
  'test/dist/console/faces.test.js',
  'test/dist/console/models.test.js',
  'test/dist/bulk-enrolment.test.js',
  'test/dist/train-through-http.test.js',
  'packages/server/dist/start/run-service.test.js',
];

/**
 * The order that vitest has of earlier runs, or without them of sizes, but for the few long ones: one that comes last keeps
 * a core idle until it ends.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }) => {
      const rank = longest.findIndex((path) => moduleId.endsWith(path));
      return rank < 0 ? longest.length : rank;
    };
    // Projects stay together: a process serves one.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((each) =>
      sorted.filter(({ project }) => project === each).sort((a, b) => rankOf(a) - rankOf(b)),
    );
  }
}
