export interface InstallProgress {
  readonly model: string;
  /** `waiting`: another process is installing into the same folder. */
  readonly stage: 'waiting' | 'fetching' | 'converting' | 'installed';
  /** Of the files being fetched; 0 of 0 in other stages. A package's download is seen only when it is complete. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface InstallOptions {
  readonly onProgress?: (progress: InstallProgress) => void;
  readonly signal?: AbortSignal;
  /** Also verify installed models, and convert damaged ones again. */
  readonly repair?: boolean;
}
