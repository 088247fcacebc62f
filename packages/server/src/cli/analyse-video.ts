import type { Command } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import { foldLanguages } from '../http/api/fold-settings.js';
import { fromSettings, SettingsInput } from '../streams/videos/routes/settings.js';
import type { CommandContext } from './context.js';
import { followVideo } from './follow-video.js';
import type { Terminal } from './install-progress.js';
import { readJson } from './read-json.js';
import { toVideoNumber } from './video-number.js';
import { withVideos } from './with-domain.js';

interface AnalyseOptions {
  readonly account: string;
  readonly settings?: string;
  readonly wait: boolean;
}

/** `videos analyse`: once more, with other settings, or after a failure. */
export function addAnalyseVideoCommand(videos: Command, context: CommandContext, terminal: Terminal): void {
  videos
    .command('analyse')
    .description('analyse a video again; its timeline stays until the new one is there; Ctrl-C is safe')
    .argument('<id>', 'number of the video')
    .option('--account <name>', 'whose video it is', firstAccount)
    .option('--settings <file>', 'settings that change, JSON as in the API')
    .option('--no-wait', 'leave it to the running service')
    .action(async (id: string, options: AnalyseOptions) => {
      const settings = await readJson(context, 'settings', options.settings, SettingsInput, foldLanguages);
      await withVideos(context, options.account, async (open) => {
        const change = settings && fromSettings(settings);
        const video = await open.videos.analyseAgain(open.accountId, toVideoNumber(id), change);
        if (options.wait) await followVideo(open, video, context, terminal);
        else context.print(String(video.id));
      });
    });
}
