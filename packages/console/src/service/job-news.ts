import type { Job } from '@lynceus/client';
import type { QueryKey } from '@tanstack/react-query';

/** What a kind of job works on, as the first part of query keys; its subject is the second. */
const worksOn: Readonly<Record<string, string>> = {
  'dataset-import': 'datasets',
  'train-model': 'models',
  'compare-versions': 'models',
  're-embed-perception': 'perceptions',
};

/** Which answers are old news once a job got on: by a step, of what it works on alone; by its begin or end, all of its kind. */
export function staleAfter(job: Job, known: Job | undefined): readonly QueryKey[] {
  const resource = worksOn[job.kind];
  if (known?.state !== job.state) return resource === undefined ? [['jobs']] : [['jobs'], [resource]];
  // A model changes with the end of its training, and not before.
  if (resource === undefined || resource === 'models') return [];
  return [[resource, Number(job.subject)]];
}
