import { account } from './en/account.js';
import { admin } from './en/admin.js';
import { calibration } from './en/calibration.js';
import { datasets } from './en/datasets.js';
import { destinations } from './en/destinations.js';
import { dropFiles } from './en/drop-files.js';
import { drops } from './en/drops.js';
import { embedder } from './en/embedder.js';
import { faceSearch } from './en/face-search.js';
import { faces } from './en/faces.js';
import { files } from './en/files.js';
import { help } from './en/help.js';
import { jobs } from './en/jobs.js';
import { keys } from './en/keys.js';
import { kit } from './en/kit.js';
import { labelling } from './en/labelling.js';
import { models } from './en/models.js';
import { person } from './en/person.js';
import { picture } from './en/picture.js';
import { shell } from './en/shell.js';
import { signIn } from './en/sign-in.js';
import { tryIt } from './en/try-it.js';
import { usage } from './en/usage.js';

/** All that the page says, a file an area. */
export const english = {
  ...{ shell, kit, jobs, picture, signIn },
  ...{ tryIt, files, usage, keys, help },
  ...{ faces, person, faceSearch, calibration, embedder },
  ...{ datasets, labelling, models },
  ...{ drops, dropFiles, destinations },
  ...{ account, admin },
};
