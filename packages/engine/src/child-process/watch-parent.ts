import { workerData } from 'node:worker_threads';

const everyMs = 500;

// An orphan gets another parent. Nothing less than this kill reaches a process whose main thread is in native code.
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, everyMs);
