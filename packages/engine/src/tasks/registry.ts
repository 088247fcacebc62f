import { classify } from './classify/classify.js';
import { detect } from './detect/detect.js';
import { draw } from './draw/draw.js';
import { faces } from './faces/faces.js';
import { fingerprint } from './fingerprint/fingerprint.js';
import { readText } from './read-text/read-text.js';
import { segment } from './segment/segment.js';
import type { Task } from './task.js';
import { thumbnail } from './thumbnail/thumbnail.js';

/** Every task by its name. A job's calls are typed from this table, so a task needs no other wiring than its row. */
export const tasks = { detect, classify, segment, readText, faces, fingerprint, thumbnail, draw } as const;

export type TaskName = keyof typeof tasks;
type OptionsOf<T> = T extends Task<string, infer Options, unknown> ? Options : never;
type ResultOf<T> = T extends Task<string, never, infer Result> ? Result : never;

export type TaskCall = {
  [Name in TaskName]: { readonly task: Name; readonly options: OptionsOf<(typeof tasks)[Name]> };
}[TaskName];
export type TaskResults = { readonly [Name in TaskName]?: ResultOf<(typeof tasks)[Name]> };
