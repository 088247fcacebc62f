import { tasks } from '../../tasks/registry.js';
import { endWithParent } from '../end-with-parent.js';
import { serveJobs } from './serve-jobs.js';

endWithParent();
serveJobs(tasks);
