import type { Command } from 'commander';
import { toStream } from '../streams/routes/stream.js';
import type { Stream } from '../streams/stream.js';
import { addChangeStreamCommands } from './change-streams.js';
import type { CommandContext } from './context.js';
import { formatBytes } from './install-progress.js';
import { toPrintable } from './printable.js';
import { addStreamEventsCommand } from './stream-events.js';
import { streamAccountOption, streamArgument, toStreamNumber } from './stream-options.js';
import { formatTable, formatTime } from './table.js';
import { type Opened, withStreams } from './with-domain.js';

interface AccountOption {
  readonly account: string;
}

/** `streams …`: cameras and other live sources, beside a running service or without one. */
export function addStreamsCommand(program: Command, context: CommandContext): void {
  const streams = program
    .command('streams')
    .description('streams: cameras and other live sources, and what was seen in them');

  streams
    .command('list')
    .description('list the streams of an account with how they are doing')
    .option(...streamAccountOption)
    .action(({ account }: AccountOption) =>
      withStreams(context, account, async (open) => {
        const found: Stream[] = [];
        for await (const stream of walkStreams(open)) found.push(stream);
        const states = await open.states.read(open.accountId, found);
        const rows = found.map(({ id, name, source, createdAt }) => {
          const state = states.get(id);
          return [
            ...[String(id), toPrintable(name), source.kind],
            toPrintable(source.address ?? source.device ?? `video ${source.videoId}`),
            ...[state?.state ?? '-', (state?.fps ?? 0).toFixed(1), formatTime(state?.lastFrameAt ?? null)],
            formatTime(createdAt),
          ];
        });
        const head = ['ID', 'NAME', 'KIND', 'SOURCE', 'STATE', 'FPS', 'LAST FRAME', 'MADE'];
        context.print(formatTable(head, rows));
      }),
    );

  streams
    .command('show')
    .description('show a stream with all its settings, as the API returns it')
    .argument(...streamArgument)
    .option(...streamAccountOption)
    .action((id: string, { account }: AccountOption) =>
      withStreams(context, account, async (open) => {
        const stream = await open.streams.read(open.accountId, toStreamNumber(id));
        const state = (await open.states.read(open.accountId, [stream])).get(stream.id);
        if (state) context.print(JSON.stringify(toStream(stream, state), null, 2));
      }),
    );

  addChangeStreamCommands(streams, context);
  addStreamEventsCommand(streams, context);

  streams
    .command('remove')
    .description('delete a stream with its events, tracks, snapshots and clips; this cannot be undone')
    .argument(...streamArgument)
    .option(...streamAccountOption)
    .action((id: string, { account }: AccountOption) =>
      withStreams(context, account, async ({ deletion, accountId }) => {
        const { tracks, files, bytes } = await deletion.removeStream(accountId, toStreamNumber(id));
        context.print(`Deleted: ${tracks} tracks, ${files} files, ${formatBytes(bytes)}`);
      }),
    );
}

async function* walkStreams({ streams, accountId }: Opened<typeof withStreams>): AsyncGenerator<Stream> {
  for (let after: number | undefined; ; ) {
    const page = await streams.list(accountId, { limit: 100, after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
