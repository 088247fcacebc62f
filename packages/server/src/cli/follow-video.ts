import { type Video, videoKind } from '../streams/videos/video.js';
import type { CommandContext } from './context.js';
import type { Terminal } from './install-progress.js';
import { createJobView } from './job-view.js';
import { seeJobThrough } from './see-job-through.js';
import { withStopSignal } from './stop-signal.js';
import type { Opened, withVideos } from './with-domain.js';

/** Shows the work on a video until its end, and does it where no service does. Throws why it failed. */
export async function followVideo(
  { database, jobs, work, accountId, videos }: Opened<typeof withVideos>,
  { id }: Video,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const made = await jobs.latest(accountId, videoKind, String(id));
  if (made === null) throw new Error('The video was deleted meanwhile');
  const view = createJobView(terminal, 'Video');
  const job = await withStopSignal('stopped', (signal) =>
    seeJobThrough(
      {
        ...{ database, jobs, kind: work, signal },
        onProgress: (running) => view.show(running),
        onFailure: (error) => context.note(error instanceof Error ? error.message : String(error)),
      },
      accountId,
      made.id,
    ),
  ).finally(() => view.close());
  if (job.endedAt === null) {
    context.print(`The service continues the work on video ${id}`);
    return;
  }
  if (job.state === 'cancelled') throw new Error(`The work on video ${id} was cancelled; the video stays`);
  if (job.state === 'failed') throw new Error(job.error ?? 'The work failed');
  const { info } = await videos.read(accountId, id);
  context.print(`Video ${id} of ${info?.durationSeconds ?? 0} s has a timeline: videos timeline ${id}`);
}
