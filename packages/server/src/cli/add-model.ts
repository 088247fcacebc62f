import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AddOutcome, Catalog } from '@lynceus/engine';
import type { Command } from 'commander';
import { readImportOptions } from '../training/models/import-options.js';
import { calibrateModel, checkCalibrationFolder } from './calibrate-model.js';
import { type CommandContext, settingsOf } from './context.js';
import type { Terminal } from './install-progress.js';
import { toPrintable } from './printable.js';
import { whileWatched } from './while-watched.js';

interface AddFlags {
  readonly id: string;
  readonly licence: string;
  readonly licenceFile?: string;
  readonly title?: string;
  readonly sha256?: string;
  readonly labels?: string;
  readonly options?: string;
  readonly calibrate?: string;
}

const maxLicenceBytes = 200_000;

/** `models add`: a detector or classifier from elsewhere, for every account. */
export function addAddingCommand(
  models: Command,
  context: CommandContext,
  open: () => Promise<Catalog>,
  terminal: Terminal,
): void {
  models
    .command('add')
    .description('test a detector or classifier from elsewhere and add it as a built-in model')
    .argument('<from>', 'an https address, or a file: ONNX, TFLite, or a zip with a TF.js model')
    .requiredOption('--id <id>', 'by which requests and settings name it: small letters, digits, hyphens')
    .requiredOption('--licence <licence>', 'its SPDX identifier, its name, or unknown')
    .option('--licence-file <file>', 'the text of the licence, which is kept with the model')
    .option('--title <title>', 'its name in answers and on pages; the id unless given')
    .option('--sha256 <hex>', 'what the file must have')
    .option('--labels <file>', 'titles of the classes, one a line, where the model file has none')
    .option('--options <json>', 'what the file does not contain, such as {"layout":"yolox"}')
    .option('--calibrate <folder>', 'labelled images, in a format of datasets, to fit the scores to')
    .action(async (from: string, flags: AddFlags) => {
      const { settings } = settingsOf(context);
      const options = {
        ...readImportOptions(flags.options),
        ...(flags.labels !== undefined && { labels: await readLabels(flags.labels, context) }),
      };
      if (flags.calibrate !== undefined && options.threshold !== undefined) {
        throw new Error('--calibrate finds the threshold itself: leave it out of --options');
      }
      const { licenceFile } = flags;
      const text =
        licenceFile === undefined ? undefined : await readText(licenceFile, maxLicenceBytes, context);
      const calibrate = flags.calibrate === undefined ? undefined : resolve(context.cwd, flags.calibrate);
      if (calibrate !== undefined) await checkCalibrationFolder(calibrate);
      const catalog = await open();
      const done = await whileWatched(terminal, (progress) =>
        catalog.add(
          {
            id: flags.id,
            title: flags.title,
            from: /^[a-z][a-z0-9+.-]+:\/\//i.test(from) ? from : resolve(context.cwd, from),
            sha256: flags.sha256,
            licence: { stated: flags.licence, text },
            options,
            maxBytes: settings.maxModelBytes,
            ...(calibrate !== undefined && {
              calibrate: (ref, manifest) =>
                calibrateModel({
                  ref,
                  manifest,
                  folder: calibrate,
                  settings,
                  note: context.note,
                  signal: progress.signal,
                }),
            }),
          },
          progress,
        ),
      );
      tell(done, context);
    });
}

function tell({ model, format, notes, trial }: AddOutcome, { note, print }: CommandContext): void {
  const { entry, manifest } = model;
  const labels = manifest.labels.slice(0, 10).map(({ title }) => toPrintable(title));
  note(`labels: ${labels.join(', ')}${manifest.labels.length > 10 ? ', …' : ''}`);
  for (const each of notes) note(toPrintable(each));
  for (const { figure, value, how } of entry.measured) note(`${figure}: ${value}, ${how}`);
  const kind = `${entry.family} of ${manifest.labels.length} classes, ${format}`;
  print(`Added: ${entry.id}, number ${entry.modelId} (${kind}; ${Math.round(trial.ms)} ms on one thread)`);
  const setting = entry.family === 'detector' ? 'DETECTOR' : 'CLASSIFIER';
  note(
    `From the next start of a service, requests name it by model_id=${entry.id} or ${entry.modelId}. ` +
      `To select it where they name none: LYNCEUS_DEFAULT_${setting}, LYNCEUS_DROP_${setting}, LYNCEUS_V2_MODEL.`,
  );
}

async function readLabels(file: string, context: CommandContext): Promise<string[]> {
  const text = await readText(file, 5_000_000, context);
  const labels = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (labels.length === 0) throw new Error(`${file} has no line with the title of a class`);
  return labels;
}

async function readText(file: string, maxBytes: number, { cwd }: CommandContext): Promise<string> {
  const bytes = await readFile(resolve(cwd, file)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${error.code})`, { cause: error });
  });
  if (bytes.byteLength > maxBytes) throw new Error(`${file} has more than ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file} is not text in UTF-8`);
  }
}
