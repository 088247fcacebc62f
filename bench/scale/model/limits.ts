import { type Inputs, replicaCallsPerSecond, server } from './inputs.js';

/** How much of a resource an installation of so many replicas uses; above 1 it is what breaks. */
export interface Demand {
  readonly resource: string;
  readonly demand: string;
  readonly share: number;
}

/** Connections of a replica that is busy: the usual of `databaseConnections`. */
const busyConnections = 10;

/** All that grows with replicas, the most pressing first. */
export function demandsOf(inputs: Inputs, replicas: number): readonly Demand[] {
  const callsPerSecond = replicas * replicaCallsPerSecond;
  const cores =
    (callsPerSecond * inputs.databaseCpuMs) / 1000 + (replicas * inputs.idle.databaseCpuMs) / 1000;
  const log = callsPerSecond * inputs.logBytes;
  // Each replica commits at most as often as a batch takes; with few calls, once a call.
  const batchesPerSecond = Math.min(callsPerSecond, (replicas * 1000) / inputs.batchMs);
  const notifying = (batchesPerSecond * replicas * inputs.notificationCpuMs) / 1000;
  const perCommit = 1000 / inputs.batchMs;
  const demands: Demand[] = [
    {
      resource: 'connections',
      demand: `${replicas * busyConnections}`,
      share: (replicas * busyConnections) / server.connections,
    },
    { resource: 'CPU of PostgreSQL', demand: `${cores.toFixed(2)} cores`, share: cores / server.cores },
    {
      resource: 'log of PostgreSQL',
      demand: `${(log / 1e6).toFixed(2)} MB/s`,
      share: log / server.logBytesPerSecond,
    },
    {
      resource: 'commits of one account, if all calls were its own and none were merged',
      demand: `${callsPerSecond}/s of ${perCommit.toFixed(0)}`,
      share: callsPerSecond / perCommit,
    },
    {
      resource: 'NOTIFY after each batch, which the service does not do',
      demand: `${notifying.toFixed(2)} cores`,
      share: notifying / server.cores,
    },
  ];
  return demands.toSorted((a, b) => b.share - a.share);
}

export interface Growth {
  readonly what: string;
  readonly rows: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** What so many rows take on the disk of PostgreSQL. */
export function growthOf(inputs: Inputs): readonly Growth[] {
  return [
    ...[1e7, 1e8, 1e9].map((rows) => ({
      what: 'analyses',
      rows,
      bytes: rows * inputs.analysisBytes,
      indexBytes: rows * inputs.analysisIndexBytes,
    })),
    ...[1e6, 1e7, 1e8].map((rows) => ({
      what: 'faces',
      rows,
      bytes: rows * inputs.faceBytes,
      indexBytes: 0,
    })),
  ];
}
