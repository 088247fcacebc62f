import { setTimeout as sleep } from 'node:timers/promises';
import { foundIn, startTagTrial } from './tag-trial.js';

// Tags or undoes a folder as the command does, with an invented recognition: for tests that kill it. Prints a line an image.
const [mode, folder = ''] = process.argv.slice(2);
const trial = await startTagTrial((path) => console.log(path));
const recognise = async () => {
  await sleep(2);
  return foundIn('otter', 'kite');
};
await (mode === 'undo' ? trial.undo(folder) : trial.tag(folder, { recognise }));
await trial.close();
