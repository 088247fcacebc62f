import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { createJobWatch } from '../../service/jobs/job-watch.js';
import { callerOf } from './caller.js';
import { exactly } from './fields.js';
import { Job, toJob } from './job.js';
import { writeJobEvents } from './job-events.js';
import { PageOf, pageRequest, paging, toLargePageAnswer } from './paging.js';
import type { ApiDeps, ApiScope } from './scope.js';

const JobId = Type.String({ pattern: '^[0-9a-f-]{36}$', description: 'an id of a job' });
const JobParams = Type.Object({ id: JobId });
const JobList = PageOf(Job, 'A page of jobs');
const Word = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,100}$',
  description: 'a word of at most 100 characters',
});
export const JobPosition = Type.Object({ createdAt: Type.Integer(), id: JobId });
const tags = ['jobs'];
/** Between looks at a job that is followed. */
const lookMs = 500;

/** Work that continues after the request that started it. */
export function addJobRoutes(app: ApiScope, { jobs, eventStreams }: ApiDeps): void {
  const { watch } = createJobWatch({ readJob: jobs.read, lookMs });

  app.get('/jobs', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listJobs',
      summary:
        'Jobs of this account, the newest first, without the `findings` of their results; ended ones for 90 days',
      querystring: exactly({ ...paging, kind: Type.Optional(Word), subject: Type.Optional(Word) }),
      response: { 200: JobList },
    },
    async handler(request, reply) {
      const { kind, subject } = request.query;
      const page = await jobs.list(
        callerOf(request).accountId,
        { kind, subject },
        pageRequest(JobPosition, request.query),
      );
      return toLargePageAnswer(reply, page, toJob);
    },
  });

  app.get('/jobs/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readJob',
      summary: 'One job: how far it is, and what came of it',
      params: JobParams,
      response: { 200: Job },
    },
    handler: async (request) => toJob(await jobs.read(callerOf(request).accountId, request.params.id)),
  });

  app.get('/jobs/:id/events', {
    config: { right: 'read', isStream: true },
    schema: {
      tags,
      operationId: 'followJob',
      summary:
        'The same as server-sent events: progress with every change, and end; each has the job as data',
      params: JobParams,
      response: {
        200: {
          description: 'Events, until the job has ended',
          content: { 'text/event-stream': { schema: Type.Unsafe<Readable>(Type.String()) } },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await jobs.read(accountId, request.params.id);
      const { signal, isStillLetIn } = eventStreams.open(request, reply);
      return (
        reply
          .type('text/event-stream; charset=utf-8')
          // nginx would else gather events until it has a buffer full of them.
          .header('x-accel-buffering', 'no')
          .send(
            Readable.from(writeJobEvents(watch(accountId, id, signal), isStillLetIn), { objectMode: false }),
          )
      );
    },
  });

  app.delete('/jobs/:id', {
    config: { right: 'change', audit: ['jobs.cancel', 'job'] },
    schema: {
      tags,
      operationId: 'cancelJob',
      summary: 'Cancels a job: a waiting one at once, a running one soon; an ended one stays as it is',
      params: JobParams,
      response: { 200: Job },
    },
    async handler(request) {
      const job = await jobs.cancel(callerOf(request).accountId, request.params.id);
      jobs.wake();
      return toJob(job);
    },
  });
}
