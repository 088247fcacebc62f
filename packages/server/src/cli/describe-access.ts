import { machineAddresses } from '../core/machine-addresses.js';
import type { Drop } from '../drops/drop.js';
import { parsePublicAddresses } from '../drops/ftp/addresses.js';
import type { Opened, withDrops } from './with-domain.js';

type Access = Pick<Opened<typeof withDrops>, 'hostOf' | 'settings'>;

/** Where to send images, as lines. */
export function describeAccess(open: Access, { userName }: Pick<Drop, 'userName'>): readonly string[] {
  const { ftpPort, sftpPort } = open.settings;
  const hosts = hostsOfDrop(open, userName);
  return [
    `Host:      ${hosts.join(' or ')}`,
    ...(ftpPort === 0 && sftpPort === 0 ? ['Port:      none'] : []),
    ...(ftpPort === 0 ? [] : [`Port:      ${ftpPort}`]),
    ...(sftpPort === 0 ? [] : [`SFTP port: ${sftpPort}`]),
    `User name: ${userName}`,
  ];
}

/** What is missing before cameras and other machines can send images; empty where nothing is. */
export function describeMissing({ settings }: Pick<Access, 'settings'>): readonly string[] {
  const { ftpPort, sftpPort } = settings;
  if (ftpPort === 0 && sftpPort === 0) {
    return [
      'No images can arrive: set LYNCEUS_FTP_PORT=2121 or LYNCEUS_SFTP_PORT=2222, for the service and for commands.',
    ];
  }
  return [
    ...(ftpPort > 0 ? describeReach('FTP', 'LYNCEUS_FTP_HOST', settings.ftpHost || settings.host) : []),
    ...(sftpPort > 0 ? describeReach('SFTP', 'LYNCEUS_SFTP_HOST', settings.sftpHost || settings.host) : []),
  ];
}

function describeReach(protocol: string, variable: string, host: string): readonly string[] {
  if (isEveryAddress(host) || machineAddresses(host).length > 0) return [];
  return [`${protocol} is reachable from this machine only: set ${variable}=0.0.0.0 for cameras and others.`];
}

/** A command that uploads an image; null where no port is set. */
export function describeUpload(
  open: Access,
  { userName }: Pick<Drop, 'userName'>,
  key: string,
): string | null {
  const { ftpPort, sftpPort } = open.settings;
  const [host = ''] = hostsOfDrop(open, userName);
  const named = host.includes(':') ? `[${host}]` : host;
  if (ftpPort > 0) {
    return `curl --ssl-reqd -k -T IMG_1.jpg --user ${userName}:${key} ftp://${named}:${ftpPort}/incoming/`;
  }
  if (sftpPort === 0) return null;
  return `curl -k -T IMG_1.jpg --user ${userName}:${key} sftp://${named}:${sftpPort}/incoming/`;
}

/** Under which clients reach a drop, the first for examples; where nobody else can, this machine. */
export function hostsOfDrop({ hostOf, settings }: Access, userName: string): readonly string[] {
  const own = hostOf(userName);
  if (own !== null) return [own];
  if (settings.publicAddress !== '')
    return [new URL(settings.publicAddress).hostname.replace(/^\[|\]$/g, '')];
  const { ftpPort, ftpHost, sftpHost, host } = settings;
  const published = ftpPort > 0 ? parsePublicAddresses(settings.ftpPublicAddress) : [];
  if (published.length > 0) return [...new Set(published.map(({ address }) => address))];
  const found = machineAddresses((ftpPort > 0 ? ftpHost : sftpHost) || host);
  return found.length > 0 ? found : ['127.0.0.1'];
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
