import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import { foldLanguages } from '../http/api/fold-settings.js';
import { fromSettings, SettingsInput } from '../streams/videos/routes/settings.js';
import type { Video } from '../streams/videos/video.js';
import type { NewVideo } from '../streams/videos/videos.js';
import type { CommandContext } from './context.js';
import { followVideo } from './follow-video.js';
import type { Terminal } from './install-progress.js';
import { toPrintable } from './printable.js';
import { readJson } from './read-json.js';
import { type Opened, withVideos } from './with-domain.js';

interface AddOptions {
  readonly account: string;
  readonly addressFile?: string;
  readonly name?: string;
  readonly settings?: string;
  readonly wait: boolean;
}

/** `videos add`: from a file or an address to a timeline. */
export function addAddVideoCommand(videos: Command, context: CommandContext, terminal: Terminal): void {
  videos
    .command('add')
    .description(
      'add a video and look through it, in the running service or, without one, in this command; Ctrl-C is safe',
    )
    .argument('[source]', 'a video file, or an http or https address')
    .option('--account <name>', 'whose video it is', firstAccount)
    .option('--address-file <file>', 'a file with the address, where it has a user name and password')
    .option('--name <name>', 'its name; that of the file unless given')
    .option('--settings <file>', 'settings that differ, JSON as in the API')
    .option('--no-wait', 'leave it to the running service')
    .action(async (source: string | undefined, options: AddOptions) => {
      const settings = await readJson(context, 'settings', options.settings, SettingsInput, foldLanguages);
      const wanted = { name: options.name, settings: settings && fromSettings(settings) };
      const from = await readSource(context, source, options);
      await withVideos(context, options.account, async (open) => {
        const video = await addVideo(open, from, wanted);
        context.note(`Video ${video.id}: ${toPrintable(video.name)}`);
        if (options.wait) await followVideo(open, video, context, terminal);
        else context.print(String(video.id));
      });
    });
}

type Source =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'file'; readonly path: string };

async function readSource(
  { cwd }: CommandContext,
  source: string | undefined,
  { addressFile }: AddOptions,
): Promise<Source> {
  if ((source === undefined) === (addressFile === undefined))
    throw new Error('Give a video file or an address, or --address-file and a file with one');
  if (addressFile !== undefined) {
    const path = resolve(cwd, addressFile);
    const text = await readFile(path, 'utf8').catch(() => {
      throw new Error(`${path} cannot be read`);
    });
    return { kind: 'address', address: text.trim() };
  }
  const given = source ?? '';
  if (/^https?:\/\//i.test(given)) {
    if (/^https?:\/\/[^/?#]*@/i.test(given)) {
      throw new Error(
        'The address has a user name or password, which other users of this machine can see among the arguments of a program: write it into a file for --address-file',
      );
    }
    return { kind: 'address', address: given };
  }
  const path = resolve(cwd, given);
  if (!(await stat(path).catch(() => undefined))?.isFile()) throw new Error(`There is no file ${path}`);
  return { kind: 'file', path };
}

function addVideo(
  { videos, accountId }: Opened<typeof withVideos>,
  source: Source,
  wanted: NewVideo,
): Promise<Video> {
  if (source.kind === 'address') return videos.addByAddress(accountId, source.address, wanted);
  const { path } = source;
  return videos.add(accountId, createReadStream(path), () => ({ ...wanted, fileName: basename(path) }));
}
