import { defaultFtpLimits } from '#server/drop/ftp/ftp-options.js';
import { createFtpPart } from '#server/drop/ftp/ftp-part.js';
import { createFolderDrop } from './folder-drop.js';

/** The server of the drop in a process of its own: takes uploads into a folder, and tells its port. */
const [dir = '', certificate = '', key = '', durable] = process.argv.slice(2);
const folders = createFolderDrop(dir, durable === 'durable');
const part = createFtpPart({
  options: {
    host: '127.0.0.1',
    port: 0,
    passivePorts: { first: 0, last: 0 },
    publicAddresses: [],
    allowsActive: false,
    requiresTls: false,
    certificate: { certificate, key },
    certificateDir: '',
    hostName: 'localhost',
    limits: defaultFtpLimits,
  },
  logIn: async () => ({ accountId: 1, dropId: 1, folders }),
  clock: Date.now,
  onEvent: (event) => {
    if (event.kind === 'failed' || event.kind === 'cut') console.error(event);
  },
});
await part.start();
process.send?.({ port: part.port });
