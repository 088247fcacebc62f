import { calibration } from './en/calibration.js';
import { embedder } from './en/embedder.js';
import { faceSearch } from './en/face-search.js';
import { faces } from './en/faces.js';
import { files } from './en/files.js';
import { help } from './en/help.js';
import { keys } from './en/keys.js';
import { kit } from './en/kit.js';
import { person } from './en/person.js';
import { picture } from './en/picture.js';
import { shell } from './en/shell.js';
import { signIn } from './en/sign-in.js';
import { tryIt } from './en/try-it.js';
import { usage } from './en/usage.js';

/** All that the page says, a file an area. */
export const english = {
  shell,
  kit,
  signIn,
  files,
  help,
  keys,
  picture,
  tryIt,
  usage,
  faces,
  person,
  faceSearch,
  calibration,
  embedder,
};
