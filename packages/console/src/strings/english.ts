import { datasets } from './en/datasets.js';
import { jobs } from './en/jobs.js';
import { keys } from './en/keys.js';
import { kit } from './en/kit.js';
import { labelling } from './en/labelling.js';
import { models } from './en/models.js';
import { shell } from './en/shell.js';
import { signIn } from './en/sign-in.js';
import { tryIt } from './en/try-it.js';

/** All that the page says, a file an area. */
export const english = { shell, kit, signIn, keys, tryIt, jobs, datasets, labelling, models };
