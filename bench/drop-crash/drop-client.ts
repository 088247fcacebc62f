/** A client of a drop on one connection, whatever the protocol. A file is acknowledged when the promise of its upload resolves. */
export interface DropClient {
  readonly isClosed: boolean;
  upload(content: AsyncIterable<Buffer>, name: string): Promise<void>;
  /** Resumes a file of so many bytes. */
  append(content: AsyncIterable<Buffer>, name: string, sizeBytes: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** 0 where there is no such file. A failure of another kind says nothing of its size. */
  sizeOf(name: string): Promise<number>;
  /** At once, whatever is under way. */
  close(): void;
}

/** A drop as seen by its clients. */
export interface DropAddress {
  /** Of the ledger. */
  readonly name: string;
  /** Of FTP. */
  readonly port: number;
  /** Of SFTP; left out: all uploads come by FTP. */
  readonly sftpPort?: number;
  /** That SFTP connections come from; any unless given. */
  readonly localAddress?: string;
  readonly user: string;
  readonly key: string;
}

export const dropProtocols = ['ftp', 'sftp', 'both'] as const;
export type DropProtocol = (typeof dropProtocols)[number];
