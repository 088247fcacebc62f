import { type Static, Type } from 'typebox';
import { toSnake } from '../../core/snake-names.js';
import { Id, Time, toTime } from '../../http/api/fields.js';
import type { Drop as DomainDrop } from '../drop.js';
import type { FileCounts } from '../files/count-files.js';
import { Destination, toDestination } from './destination.js';
import { Settings, toSettings } from './settings.js';

export const Drop = Type.Object(
  {
    id: Type.Integer({ examples: [1001] }),
    uid: Type.String(),
    name: Type.String({ examples: ['sports desk'] }),
    ftp: Type.Object(
      {
        host: Type.String({ examples: ['sports-desk-1f2e3d.drop.example'] }),
        port: Type.Union([Type.Integer(), Type.Null()], { description: 'null: FTP is switched off' }),
        user_name: Type.String({ examples: ['sports-desk-1f2e3d'] }),
      },
      { description: 'where to send images; the password is the key of the drop' },
    ),
    sftp: Type.Object(
      {
        host: Type.String({ examples: ['sports-desk-1f2e3d.drop.example'] }),
        port: Type.Union([Type.Integer(), Type.Null()], { description: 'null: SFTP is switched off' }),
        user_name: Type.String({ examples: ['sports-desk-1f2e3d'] }),
      },
      {
        description:
          'where to send images by SFTP; the password is the key of the drop, or a private key to one of settings.authorized_keys',
      },
    ),
    key_id: Id,
    settings: Settings,
    destination: Type.Union([Destination, Type.Null()], {
      description: 'null: files get their keywords and stay in done/',
    }),
    files: Type.Object({
      receiving: Type.Integer({ description: 'on their way in, cut, or under a passing name' }),
      waiting: Type.Integer({ description: 'arrived, and not sent on yet' }),
      failed: Type.Integer(),
      done_today: Type.Integer({ description: 'since the day began, UTC' }),
    }),
    created_at: Time,
  },
  {
    title: 'Drop',
    description: 'The drop as it is now: images arrive by FTP or SFTP, get keywords, and are sent on',
  },
);

export const NewDrop = Type.Object(
  {
    ...Drop.properties,
    key: Type.String({ description: 'its key: shown here and never again', examples: ['lyn_4fQ0…'] }),
  },
  { title: 'NewDrop', description: 'The drop with its new key' },
);

/** Where the service is reached; null: not by that. */
interface DropReach {
  readonly host: string;
  readonly ftpPort: number | null;
  readonly sftpPort: number | null;
}

const none: FileCounts = { receiving: 0, waiting: 0, failed: 0, doneToday: 0 };

export function toDrop(
  { id, uid, name, userName, keyId, settings, createdAt, ...rest }: DomainDrop,
  { host, ftpPort, sftpPort }: DropReach,
  counts: FileCounts = none,
): Static<typeof Drop> {
  return {
    id,
    uid,
    name,
    ftp: { host, port: ftpPort, user_name: userName },
    sftp: { host, port: sftpPort, user_name: userName },
    key_id: keyId,
    settings: toSettings(settings),
    destination: toDestination(rest),
    files: toSnake(counts),
    created_at: toTime(createdAt),
  };
}
