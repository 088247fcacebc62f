import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import { carryOut } from '../operate/system-service/carry-out.js';
import { InstallRefused } from '../operate/system-service/install-refused.js';
import { planInstall } from '../operate/system-service/plan-install.js';
import { requireVisible } from '../operate/system-service/require-visible.js';
import type { CommandContext } from './context.js';

interface InstallOptions {
  readonly name: string;
  readonly user?: string;
  readonly root: string;
  readonly dryRun?: true;
}

/** `install-service`: user, folders, settings and unit of a service under systemd. */
export function addInstallServiceCommand(program: Command, context: CommandContext): void {
  program
    .command('install-service')
    .description('set up a service under systemd: user, folders, settings, unit; what is there stays')
    .option('--name <name>', 'of the unit, and of its folders in /etc and /var/lib', parseName, 'lynceus')
    .option('--user <user>', 'as whom it runs; the name unless given', parseName)
    .option('--root <folder>', 'write into an image of a machine', '/')
    .option('--dry-run', 'show what would be done, and the files')
    .action(async ({ name, user = name, root, dryRun }: InstallOptions) => {
      const request = {
        ...{ name, user, root: resolve(context.cwd, root), nodePath: process.execPath },
        ...findProgram(),
      };
      await requireVisible(request.nodePath, 'Node.js');
      await requireVisible(join(request.programDir, request.startScript), 'the program');
      const steps = await planInstall(request);
      if (!dryRun && process.getuid?.() !== 0) {
        throw new InstallRefused('this needs root: run it with sudo, or see with --dry-run what it would do');
      }
      for (const { text, change } of steps) {
        if (change === null || dryRun) {
          context.print(`${change === null ? 'unchanged' : 'would make'}  ${text}`);
          if (change?.kind === 'file') context.print(`\n${change.text.replace(/^(?=.)/gm, '    ')}`);
          continue;
        }
        await carryOut(change, request);
        context.print(`done       ${text}`);
      }
      if (dryRun) return;
      context.note(`Start it, now and with the machine: systemctl enable --now ${name}`);
      context.note(`Its first key and the administrator's link are in its log: journalctl -u ${name}`);
    });
}

/** As systemd and useradd take it. */
function parseName(text: string): string {
  if (/^[a-z][a-z0-9-]{0,30}$/.test(text)) return text;
  throw new InvalidArgumentError('Give lower-case letters, digits and hyphens, 31 at most, a letter first.');
}

/** The clone that this program is part of, or the package of npm, and what starts its service. */
function findProgram(): { readonly programDir: string; readonly startScript: string } {
  const dir = fileURLToPath(new URL('../../../..', import.meta.url));
  const found = ['scripts/start.mjs', 'scripts/installed.mjs'].find((path) => existsSync(join(dir, path)));
  if (found !== undefined) return { programDir: resolve(dir), startScript: found };
  throw new InstallRefused(`there is no scripts/start.mjs in ${dir}, which a unit would start`);
}
