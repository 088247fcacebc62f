import { parentPort, workerData } from 'node:worker_threads';
import { findFirstNear } from './first-near.js';
import { groupNear } from './group-near.js';
import type { NearTask } from './near-thread.js';

const { bits, sides }: NearTask = workerData;
parentPort?.postMessage(sides ? findFirstNear(bits, sides) : groupNear(bits));
