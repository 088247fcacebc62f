import { image } from './image.js';
import { jobs } from './jobs.js';
import { kit } from './kit.js';
import { shell } from './shell.js';
import { signIn } from './sign-in.js';
import { tryIt } from './try-it.js';

/** What the sign-in, the frame and the first page say; the rest is fetched with the first other page. */
export const first = { shell, kit, jobs, image, signIn, tryIt };
