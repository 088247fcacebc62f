import type { Command } from 'commander';
import { examine } from '../operate/doctor/examine.js';
import type { Finding } from '../operate/doctor/finding.js';
import { readOwnVersion } from '../service/installation/own-version.js';
import { type CommandContext, settingsOf } from './context.js';
import { openModels } from './open-models.js';
import { toPrintable } from './printable.js';
import { formatTable } from './table.js';

/** `doctor`: what whoever helps has to know. Ends with 1 where something is wrong. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description(
      'look at machine, settings, data, models and service, and say what is wrong; changes nothing',
    )
    .option('--json', 'as JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { version, settings, findings } = await examine({
        env: context.env,
        version: readOwnVersion(),
        nowMs: Date.now(),
        loadSettings: () => settingsOf(context),
        // What it leaves out is among the findings.
        openCatalog: () => openModels({ ...context, note: () => undefined }),
      });
      const wrongs = findings.filter(({ state }) => state === 'wrong').length;
      if (wrongs > 0) process.exitCode = 1;
      if (json) {
        context.print(JSON.stringify({ version, settings, findings }, null, 2));
        return;
      }
      context.print(`lynceus ${version}\n`);
      context.print(formatTable(['', 'LOOKED AT', 'FOUND'], findings.map(rowOf)));
      if (settings.length > 0) {
        const rows = settings.map((each) => [each.variable, each.value, each.source].map(toPrintable));
        context.print(`\n${formatTable(['SETTING', 'VALUE', 'FROM'], rows)}`);
      }
      context.print(wrongs === 0 ? '\nNothing is wrong.' : `\n${wrongs} wrong: see the lines with !!`);
      context.note(
        'Secrets are masked. Reasons of failures may name files: read this before you pass it on.',
      );
    });
}

const marks = { fine: 'ok', notice: '!', wrong: '!!' } as const;

function rowOf({ state, subject, text, advice }: Finding): readonly string[] {
  const lines = [...text.split('\n'), ...(advice === undefined ? [] : [`-> ${advice}`])];
  return [marks[state], subject, lines.map(toPrintable).join('\n')];
}
