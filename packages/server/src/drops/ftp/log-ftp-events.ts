import { environmentName } from '../../core/setting-names.js';
import { createSampledLog, type SampledLogOptions } from '../servers/sampled-log.js';
import type { FtpEvent } from './session.js';

/** Writes what happens at the FTP server to the log, which nobody without a key can fill. */
export function logFtpEvents(options: SampledLogOptions): (event: FtpEvent) => void {
  const { logger } = options;
  const sample = createSampledLog<FtpEvent>(options, 'ftp', fieldsOf);
  return (event) => {
    switch (event.kind) {
      case 'failed':
      case 'certificate-bad':
        logger.error({ err: event.error }, `ftp: ${event.kind}`);
        return;
      case 'connection-refused':
      case 'log-in-refused':
      case 'bad-proxy-header':
      case 'foreign-data-connection':
      case 'plain-text-before-tls':
      case 'no-passive-port':
        sample(event);
        return;
      default:
        logger.info(event, `ftp: ${event.kind}`);
    }
  };
}

/** With the setting that is to be changed, where there is one. */
function fieldsOf(event: FtpEvent): object {
  return event.kind === 'no-passive-port' ? { ...event, setting: environmentName('ftpPassivePorts') } : event;
}
