/** The real service in a process of its own, on a free port and a temporary data folder. */
export interface Service {
  readonly url: string;
  readonly metricsUrl: string;
  readonly key: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The link that the service prints, for creating the administrator. */
  readonly firstLink: Promise<string>;
  stop(): Promise<void>;
}
