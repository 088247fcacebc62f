import { account } from './en/account.js';
import { admin } from './en/admin.js';
import { destinations } from './en/destinations.js';
import { dropFiles } from './en/drop-files.js';
import { drops } from './en/drops.js';
import { files } from './en/files.js';
import { help } from './en/help.js';
import { keys } from './en/keys.js';
import { kit } from './en/kit.js';
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
  account,
  admin,
  drops,
  dropFiles,
  destinations,
  files,
  help,
  keys,
  picture,
  tryIt,
  usage,
};
