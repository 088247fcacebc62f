import { createSampledLog, type SampledLogOptions } from '../servers/sampled-log.js';
import type { SftpEvent } from './sftp-service.js';

/** Writes what happens at the SFTP server to the log, which nobody without a key can fill. */
export function logSftpEvents(options: SampledLogOptions): (event: SftpEvent) => void {
  const { logger } = options;
  const sample = createSampledLog<SftpEvent>(options, 'sftp');
  return (event) => {
    switch (event.kind) {
      case 'failed':
      case 'host-keys-bad':
        logger.error({ err: event.error }, `sftp: ${event.kind}`);
        return;
      case 'connection-refused':
      case 'log-in-refused':
      case 'bad-proxy-header':
      case 'protocol-error':
        sample(event);
        return;
      default:
        logger.info(event, `sftp: ${event.kind}`);
    }
  };
}
