import type { Place } from './place.js';
import { account } from './places/account.js';
import { datasets } from './places/datasets.js';
import { drops } from './places/drops.js';
import { faces } from './places/faces.js';
import { models } from './places/models.js';
import { outside } from './places/outside.js';
import { use } from './places/use.js';

/** Every page, tab, window, drawer, step and state of the web account. */
export const places: readonly Place[] = [
  ...outside,
  ...use,
  ...faces,
  ...datasets,
  ...models,
  ...drops,
  ...account,
];
