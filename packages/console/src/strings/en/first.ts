import { image } from './image.js';
import { jobs } from './jobs.js';
import { kit } from './kit.js';
import { shell } from './shell.js';
import { signIn } from './sign-in.js';
import { tryIt } from './try-it.js';

/** The texts of the sign-in, the frame and the start page; the rest is loaded with the first other page. */
export const first = { shell, kit, jobs, image, signIn, tryIt };
