import { account } from './account.js';
import { admin } from './admin.js';
import { calibration } from './calibration.js';
import { datasets } from './datasets.js';
import { destinations } from './destinations.js';
import { dropFiles } from './drop-files.js';
import { drops } from './drops.js';
import { embedder } from './embedder.js';
import { faceSearch } from './face-search.js';
import { faces } from './faces.js';
import { files } from './files.js';
import { help } from './help.js';
import { keys } from './keys.js';
import { labelling } from './labelling.js';
import { models } from './models.js';
import { person } from './person.js';
import { streamEvents } from './stream-events.js';
import { streamOutputs } from './stream-outputs.js';
import { streamSettings } from './stream-settings.js';
import { streamSource } from './stream-source.js';
import { streams } from './streams.js';
import { usage } from './usage.js';
import { videos } from './videos.js';
import { zones } from './zones.js';

/** The texts of all other pages, one file an area. */
export const rest = {
  files,
  usage,
  keys,
  help,
  faces,
  person,
  faceSearch,
  calibration,
  embedder,
  datasets,
  labelling,
  models,
  drops,
  dropFiles,
  destinations,
  streams,
  streamSource,
  streamSettings,
  zones,
  streamEvents,
  streamOutputs,
  videos,
  account,
  admin,
};
