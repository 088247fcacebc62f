// Uploads an image to a drop by FTP with TLS and prints the keywords that were written into it, with @lynceus/client
// and basic-ftp:
//
//   KEY=lyn_… DROP=1001 DROP_KEY=lyn_… node drop.mjs photo.jpg
//
// DROP and DROP_KEY are the id of the drop and its password, which "drops create" and the page Drops show. KEY, the key of
// the account, is for asking what became of the file.
// FTP_CERTIFICATE: the certificate of the FTP server, where no authority signed it; without it authorities are asked.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLynceusClient } from '@lynceus/client';
import { Client } from 'basic-ftp';

const { BASE_URL = 'http://127.0.0.1:8080', KEY, DROP, DROP_KEY, FTP_CERTIFICATE } = process.env;
const [, , path] = process.argv;
if (!path) fail('Name an image: node drop.mjs photo.jpg');
if (!KEY) fail('Set KEY to an API key.');
if (!DROP) fail('Set DROP to the id of a drop.');
if (!DROP_KEY) fail('Set DROP_KEY to its key.');
const client = createLynceusClient({ baseUrl: BASE_URL, apiKey: KEY });
const name = `${Date.now()}-${basename(path)}`;
const { host, port, user_name: user } = (await client.drops.read(Number(DROP))).ftp;
if (port === null) fail('the service has no FTP port: set LYNCEUS_FTP_PORT');

// That certificate and no other, whatever the host is called.
const trust = FTP_CERTIFICATE && {
  ca: await readFile(FTP_CERTIFICATE),
  checkServerIdentity: () => undefined,
};
const ftp = new Client();
try {
  await ftp.access({ host, port, user, password: DROP_KEY, secure: true, secureOptions: trust || {} });
  await ftp.uploadFrom(path, name);
} finally {
  ftp.close();
}

// The upload is on the disk of the service now, and recognised within seconds.
for (;;) {
  const [file] = (await client.dropFiles.page(Number(DROP), { search: name })).data;
  if (file?.state === 'failed') throw new Error(file.error ?? 'failed');
  if (file?.state === 'done') {
    console.log(`keywords: ${file.summary.keywords.join(', ')}`);
    break;
  }
  await sleep(1000);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
