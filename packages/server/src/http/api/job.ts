import { type Static, Type } from 'typebox';
import type { Job as DomainJob, JobProgress } from '../../service/jobs/job.js';
import { toAnswer } from './answer.js';
import { Time, TimeOrNull } from './fields.js';

const Progress = Type.Object(
  {
    stage: Type.Union([Type.String(), Type.Null()], { description: 'in a word or two, which may change' }),
    done: Type.Integer({ description: 'steps of this stage' }),
    total: Type.Union([Type.Integer(), Type.Null()], { description: 'null while nobody knows' }),
    percent: Type.Union([Type.Number(), Type.Null()], { description: 'of this stage, 0 to 100' }),
    seconds_left: Type.Union([Type.Integer(), Type.Null()], {
      description: 'of this stage; null while nobody knows',
    }),
  },
  { title: 'JobProgress' },
);
export const Job = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({ examples: ['dataset-import'] }),
    subject: Type.String({ description: 'what it works on, such as a dataset of this id' }),
    state: Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    progress: Progress,
    result: Type.Unknown({ description: 'of the kind; null before it is done' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'why it failed, or failed last' }),
    created_at: Time,
    started_at: TimeOrNull,
    ended_at: TimeOrNull,
  },
  {
    title: 'Job',
    description: 'The job as it is now: work that continues after the request that started it',
  },
);

export function toJob(job: DomainJob): Static<typeof Job> {
  return toAnswer(Job, job, { progress: toProgress(job.progress) });
}

function toProgress({ stage, done, total, secondsLeft = null }: JobProgress) {
  const percent =
    total === null || total === 0 ? null : Math.round((1000 * Math.min(done, total)) / total) / 10;
  return { stage, done, total, percent, seconds_left: secondsLeft };
}
