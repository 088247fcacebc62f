import { type Command, InvalidArgumentError, Option } from 'commander';
import type { StreamEventKind } from '../storage/tables/streams.js';
import { streamEventKinds } from '../streams/event-kind.js';
import type { StreamEvent } from '../streams/events.js';
import { toEvent } from '../streams/routes/seen.js';
import type { CommandContext } from './context.js';
import { toPrintable } from './printable.js';
import { streamAccountOption, toStreamNumber } from './stream-options.js';
import { formatTable } from './table.js';
import { withStreams } from './with-domain.js';

interface EventOptions {
  readonly account: string;
  readonly stream?: number;
  readonly kind?: StreamEventKind;
  readonly label?: string;
  readonly zone?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly json?: true;
}

const maxLimit = 1000;

/** `streams events`: what happened, the newest first. */
export function addStreamEventsCommand(streams: Command, context: CommandContext): void {
  streams
    .command('events')
    .description('list what happened in streams, the newest first')
    .option(...streamAccountOption)
    .option('--stream <id>', 'in this stream alone', toStreamNumber)
    .addOption(new Option('--kind <kind>', 'of this kind').choices(streamEventKinds))
    .option('--label <class>', 'to objects of this class')
    .option('--zone <name>', 'to objects that entered this zone')
    .option('--from <time>', 'from then on, such as 2026-01-31T12:00:00Z', toMoment)
    .option('--to <time>', 'before then', toMoment)
    .option('--limit <number>', `at most so many, up to ${maxLimit}`, toLimit, 50)
    .option('--json', 'one JSON object a line, as the API returns it')
    .action(async (options: EventOptions) => {
      const { account, stream: streamId, kind, label, zone, from: fromMs, to: beforeMs, limit } = options;
      await withStreams(context, account, async ({ events, accountId }) => {
        const filter = { streamId, kind, label, zone, fromMs, beforeMs };
        const { items } = await events.list(accountId, filter, { limit, after: undefined });
        if (options.json) {
          for (const event of items) context.print(JSON.stringify(toEvent(event)));
          return;
        }
        const head = ['AT', 'STREAM', 'KIND', 'CLASS', 'SCORE', 'PERSON', 'WHERE', 'TRACK'];
        context.print(formatTable(head, items.map(toRow)));
      });
    });
}

function toRow({ at, streamId, kind, data }: StreamEvent): readonly string[] {
  const { label, score, person, zone, text, current_zones: zones, track_id: trackId } = data;
  return [
    new Date(at).toISOString().slice(0, 19).replace('T', ' '),
    String(streamId),
    kind,
    toPrintable(label),
    score.toFixed(2),
    toPrintable(person?.name ?? '-'),
    toPrintable(text ?? zone ?? (zones.join(', ') || '-')),
    trackId ?? '-',
  ];
}

function toMoment(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new InvalidArgumentError('a moment is written such as 2026-01-31T12:00:00Z');
  return ms;
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new InvalidArgumentError(`a number from 1 to ${maxLimit}`);
  return limit;
}
