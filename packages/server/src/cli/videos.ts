import { type Command, Option } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import { toVideo } from '../streams/videos/routes/video.js';
import { timelineFormats } from '../streams/videos/timeline/formats.js';
import { type Video, videoKind } from '../streams/videos/video.js';
import { addAddVideoCommand } from './add-video.js';
import { addAnalyseVideoCommand } from './analyse-video.js';
import type { CommandContext } from './context.js';
import { formatBytes, type Terminal } from './install-progress.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { toVideoNumber } from './video-number.js';
import { type Opened, withVideos } from './with-domain.js';

interface AccountOption {
  readonly account: string;
}

const videoAccountOption = ['--account <name>', 'whose video it is', firstAccount] as const;
const videoArgument = ['<id>', 'number of the video'] as const;
const formats = ['json', 'csv', 'vtt'] as const;

/** `videos …`: video files and what is found in them, beside a running service or without one. */
export function addVideosCommand(
  program: Command,
  context: CommandContext,
  terminal: Terminal = process.stderr,
): void {
  const videos = program.command('videos').description('video files, and what is found in them');

  addAddVideoCommand(videos, context, terminal);
  addAnalyseVideoCommand(videos, context, terminal);

  videos
    .command('list')
    .description('list the videos of an account with the state of the work on them')
    .option(...videoAccountOption)
    .action(({ account }: AccountOption) =>
      withVideos(context, account, async (open) => {
        const found: Video[] = [];
        for await (const video of walkVideos(open)) found.push(video);
        const shown = await showVideos(open, found);
        const rows = shown.map(({ id, name, state, job, info, file, created_at: createdAt }) => [
          ...[
            String(id),
            toPrintable(name),
            state,
            state === 'running' ? `${job?.progress.percent ?? 0} %` : '',
          ],
          ...[info ? `${info.duration_seconds} s` : '-', file ? formatBytes(file.bytes) : '-'],
          formatTime(Date.parse(createdAt)),
        ]);
        context.print(formatTable(['ID', 'NAME', 'STATE', 'DONE', 'LENGTH', 'SIZE', 'MADE'], rows));
      }),
    );

  videos
    .command('show')
    .description('show a video with its settings and the work on it, as the API returns it')
    .argument(...videoArgument)
    .option(...videoAccountOption)
    .action((id: string, { account }: AccountOption) =>
      withVideos(context, account, async (open) => {
        const [shown] = await showVideos(open, [await open.videos.read(open.accountId, toVideoNumber(id))]);
        context.print(JSON.stringify(shown, null, 2));
      }),
    );

  videos
    .command('timeline')
    .description('print what was found when')
    .argument(...videoArgument)
    .option(...videoAccountOption)
    .addOption(
      new Option('--format <name>', 'for programs, spreadsheets or players').choices(formats).default('json'),
    )
    .action(
      (id: string, { account, format }: AccountOption & { readonly format: (typeof formats)[number] }) =>
        withVideos(context, account, async ({ readTimeline, accountId }) => {
          const timeline = await readTimeline(accountId, toVideoNumber(id));
          let text = '';
          for await (const piece of timelineFormats[format].write(timeline)) text += piece;
          context.print(text.trimEnd());
        }),
    );

  videos
    .command('remove')
    .description('delete a video with its file, timeline and thumbnails; this cannot be undone')
    .argument(...videoArgument)
    .option(...videoAccountOption)
    .action((id: string, { account }: AccountOption) =>
      withVideos(context, account, async ({ deletion, accountId }) => {
        const { bytes } = await deletion.removeVideo(accountId, toVideoNumber(id));
        context.print(`Deleted: ${formatBytes(bytes)}`);
      }),
    );
}

async function showVideos({ jobs, accountId }: Opened<typeof withVideos>, found: readonly Video[]) {
  const subjects = found.map(({ id }) => String(id));
  const latest = await jobs.latestOf(accountId, videoKind, subjects);
  return found.map((video) => toVideo(video, latest.get(String(video.id))));
}

async function* walkVideos({ videos, accountId }: Opened<typeof withVideos>): AsyncIterable<Video> {
  let after: number | undefined;
  for (;;) {
    const page = await videos.list(accountId, { limit: 100, after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
