import { tasks } from '../../tasks/registry.js';
import { serveJobs } from './serve-jobs.js';

serveJobs(tasks);
