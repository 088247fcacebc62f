/** What the model rests on, measured by `measure-inputs.ts` on the machine that it runs on. */
export interface Inputs {
  /** One commit of a merged statement: `batchMs` whatever is in it, `callMs` for each call. Until the commit its accounts are locked. */
  readonly batchMs: number;
  readonly callMs: number;
  /** CPU of PostgreSQL for a call in a full batch. */
  readonly databaseCpuMs: number;
  /** CPU of a replica for counting and recording a call, without recognition. */
  readonly replicaCpuMs: number;
  /** Written to the log of PostgreSQL for a call. */
  readonly logBytes: number;
  /** Of a row of `analysis`, with its part of the indexes; the record is that of a street scene. */
  readonly analysisBytes: number;
  readonly analysisIndexBytes: number;
  /** Of a face: its image's row and its vector, with their indexes, and not the image. */
  readonly faceBytes: number;
  /** A replica that has nothing to do. */
  readonly idle: {
    readonly connections: number;
    readonly transactionsPerSecond: number;
    /** CPU of PostgreSQL in a second. */
    readonly databaseCpuMs: number;
  };
  /** CPU of PostgreSQL for one NOTIFY, for each connection that listens. */
  readonly notificationCpuMs: number;
}

/** The server that limits are given for; a large one of those that are sold by the hour. */
export const server = {
  cores: 32,
  /** Beyond it, a connection costs others more than it brings. */
  connections: 1000,
  logBytesPerSecond: 200e6,
  diskBytes: 16e12,
};

/** Of one replica: four cores with four inference processes make about so many calls of general recognition. */
export const replicaCallsPerSecond = 8;
