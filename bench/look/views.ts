import type { ConsoleView } from './console-view.js';
import { account } from './views/account.js';
import { datasets } from './views/datasets.js';
import { drops } from './views/drops.js';
import { faces } from './views/faces.js';
import { models } from './views/models.js';
import { outside } from './views/outside.js';
import { streamEvents, streamOutputs, videos } from './views/stream-events.js';
import { streams } from './views/streams.js';
import { use } from './views/use.js';

/** Every page, tab, window, drawer, step and state of the web account. */
export const views: readonly ConsoleView[] = [
  ...outside,
  ...use,
  ...faces,
  ...datasets,
  ...models,
  ...drops,
  ...streams,
  ...streamEvents,
  ...streamOutputs,
  ...videos,
  ...account,
];
