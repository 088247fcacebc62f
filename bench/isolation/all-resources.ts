import { apiResources } from './api-resources.js';
import { dropResources } from './drop-resources.js';
import { imageResources } from './image-resources.js';
import { inferenceResources } from './inference-resources.js';
import type { Resource } from './resources.js';

/** All that accounts share and ask for by requests. */
export const allResources: readonly Resource[] = [
  ...inferenceResources,
  ...apiResources,
  ...dropResources,
  ...imageResources,
];
