import type { Drop } from '../drops/drop.js';
import type { Opened, withDrops } from './with-domain.js';

type OpenDrops = Opened<typeof withDrops>;

/** Where to send images, as lines. */
export function describeAccess(
  { hostOf, settings }: Pick<OpenDrops, 'hostOf' | 'settings'>,
  { userName }: Pick<Drop, 'userName'>,
): readonly string[] {
  return [
    `Host:      ${hostOfDrop({ hostOf, settings }, userName)}`,
    `Port:      ${settings.ftpPort === 0 ? 'that of the service; this command has no ftpPort' : settings.ftpPort}`,
    ...(settings.sftpPort === 0 ? [] : [`SFTP port: ${settings.sftpPort}`]),
    `User name: ${userName}`,
  ];
}

/** A command that uploads an image; the password is asked for unless the key is given. */
export function describeUpload(
  open: Pick<OpenDrops, 'hostOf' | 'settings'>,
  { userName }: Pick<Drop, 'userName'>,
  key: string,
): string {
  const port = open.settings.ftpPort === 0 ? 'PORT' : open.settings.ftpPort;
  return `curl --ssl-reqd -k -T IMG_1.jpg --user ${userName}:${key} ftp://${hostOfDrop(open, userName)}:${port}/incoming/`;
}

/** Where nothing is set, this machine. */
export function hostOfDrop(
  { hostOf, settings }: Pick<OpenDrops, 'hostOf' | 'settings'>,
  userName: string,
): string {
  const service = settings.publicAddress === '' ? '127.0.0.1' : new URL(settings.publicAddress).hostname;
  return hostOf(userName) ?? service;
}
