import type { Command } from 'commander';
import { foldLanguages } from '../http/api/fold-settings.js';
import { fromSettings, SettingsInput } from '../streams/routes/settings.js';
import { fromSource, StreamSourceInput } from '../streams/routes/source.js';
import type { SourceInput } from '../streams/stream.js';
import type { StreamChange } from '../streams/streams.js';
import type { CommandContext } from './context.js';
import { toPrintable } from './printable.js';
import { readJson } from './read-json.js';
import { streamAccountOption, streamArgument, toStreamNumber } from './stream-options.js';
import { withStreams } from './with-domain.js';

interface SourceOptions {
  readonly account: string;
  readonly address?: string;
  readonly kind?: string;
  readonly source?: string;
  readonly settings?: string;
}
interface ChangeOptions extends SourceOptions {
  readonly name?: string;
  readonly enable?: true;
  readonly disable?: true;
}

const addressOption = ['--address <address>', 'where its frames come from, without a password'] as const;
const kindOption = ['--kind <kind>', 'of an address of HTTP: hls or mjpeg'] as const;
const sourceOption = [
  '--source <file>',
  'where its frames come from, JSON as in the API, with its password',
] as const;
const settingsOption = ['--settings <file>', 'settings that differ, JSON as in the API'] as const;

/** `streams add` and `streams change`. */
export function addChangeStreamCommands(streams: Command, context: CommandContext): void {
  streams
    .command('add')
    .description('add a stream, which a running service takes within seconds')
    .argument('<name>', 'its name')
    .option(...streamAccountOption)
    .option(...addressOption)
    .option(...kindOption)
    .option(...sourceOption)
    .option(...settingsOption)
    .option('--disabled', 'do not run it yet')
    .action(async (name: string, options: SourceOptions & { readonly disabled?: true }) => {
      const { source, settings } = await readChange(context, options);
      if (source === undefined) throw new Error('Say where the frames come from: --address or --source');
      await withStreams(context, options.account, async (open) => {
        const isEnabled = options.disabled === undefined;
        const stream = await open.streams.create(open.accountId, { name, source, settings, isEnabled });
        context.print(`Stream ${stream.id}: ${toPrintable(stream.name)}`);
      });
    });

  streams
    .command('change')
    .description('rename, enable or disable a stream, change settings one by one, or its source as a whole')
    .argument(...streamArgument)
    .option(...streamAccountOption)
    .option('--name <name>', 'another name')
    .option(...addressOption)
    .option(...kindOption)
    .option(...sourceOption)
    .option(...settingsOption)
    .option('--enable', 'run it')
    .option('--disable', 'leave it stopped')
    .action(async (id: string, options: ChangeOptions) => {
      const { name, enable, disable } = options;
      if (enable && disable) throw new Error('Give --enable or --disable, not both');
      const change: StreamChange = {
        ...(await readChange(context, options)),
        ...(name === undefined ? {} : { name }),
        ...(enable || disable ? { isEnabled: enable === true } : {}),
      };
      if (Object.keys(change).length === 0) throw new Error('Say what shall change; --help lists it');
      await withStreams(context, options.account, async (open) => {
        const stream = await open.streams.change(open.accountId, toStreamNumber(id), change);
        context.print(`Stream ${stream.id}: ${toPrintable(stream.name)}, ${stream.isEnabled ? 'on' : 'off'}`);
      });
    });
}

async function readChange(
  context: CommandContext,
  options: SourceOptions,
): Promise<Pick<StreamChange, 'source' | 'settings'>> {
  const settings = await readJson(context, 'settings', options.settings, SettingsInput, foldLanguages);
  const given = await readJson(context, 'source', options.source, StreamSourceInput);
  const { address, kind } = options;
  if (given !== undefined && address !== undefined) throw new Error('Give --address or --source, not both');
  const source = address === undefined ? given && fromSource(given) : toSource(address, kind);
  return {
    ...(source === undefined ? {} : { source }),
    ...(settings === undefined ? {} : { settings: fromSettings(settings) }),
  };
}

/** An address that everybody on this machine may see among the arguments of the program. */
function toSource(address: string, kind: string | undefined): SourceInput {
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(address)) {
    throw new Error(
      'The address has a user name or password, which other users of this machine can see among the arguments of a program: write them into a file for --source',
    );
  }
  const scheme = /^([a-z]+):/i.exec(address)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'rtsp' || scheme === 'rtsps') return { kind: 'rtsp', address };
  if (scheme === 'rtmp' || scheme === 'rtmps') return { kind: 'rtmp', address };
  if (kind === 'hls' || kind === 'mjpeg') return { kind, address };
  throw new Error(
    'An address begins with rtsp:// or rtmp://, or --kind says what comes by HTTP: hls or mjpeg',
  );
}
