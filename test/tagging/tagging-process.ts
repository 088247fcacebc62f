import { setTimeout as sleep } from 'node:timers/promises';
import { foundIn, startTagTrial } from './tag-trial.js';

// Tags or undoes a folder as the command does, with an invented recognition: for tests that kill it. Prints a line an image.
const [mode, folder = ''] = process.argv.slice(2);
const trial = await startTagTrial();
const recognise = async () => {
  await sleep(2);
  return foundIn('otter', 'kite');
};
const verdicts = mode === 'undo' ? await trial.undo(folder) : await trial.tag(folder, { recognise });
for (const { path, outcome } of verdicts) console.log(`${path}: ${outcome}`);
await trial.close();
