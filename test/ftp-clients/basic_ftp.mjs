import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'basic-ftp';

const { FTP_HOST, FTP_PORT, FTP_USER, FTP_PASSWORD, PICTURE, MODE } = process.env;
const picture = readFileSync(PICTURE);
const client = new Client(10_000);

async function act(name, work) {
  try {
    await work();
    console.log(`${name}: done`);
  } catch (error) {
    console.log(`${name}: failed: ${error.message}`);
  }
}
function check(isSo, what) {
  if (!isSo) throw new Error(what);
}

await client.access({
  host: FTP_HOST.replace(/[[\]]/g, ''),
  port: Number(FTP_PORT),
  user: FTP_USER,
  password: FTP_PASSWORD,
  secure: MODE.startsWith('TLS'),
  secureOptions: { rejectUnauthorized: false },
});
await act('upload', () => client.uploadFrom(PICTURE, 'sent.jpg'));
await act('upload into a new folder', async () => {
  await client.ensureDir('DCIM/100');
  await client.uploadFrom(PICTURE, 'sent.jpg');
  await client.cd('/');
});
await act('list', async () => {
  const [entry] = await client.list('DCIM/100');
  check(entry?.name === 'sent.jpg' && entry.size === picture.length && entry.isFile, JSON.stringify(entry));
});
await act('list as ls -l', async () => {
  client.availableListCommands = ['LIST'];
  const [entry] = await client.list('DCIM/100');
  check(entry?.name === 'sent.jpg' && entry.size === picture.length && entry.isFile, JSON.stringify(entry));
});
await act('size', async () => check((await client.size('sent.jpg')) === picture.length, 'another size'));
await act('resume an upload', async () => {
  writeFileSync('rest.jpg', picture.subarray(await client.size('resumed.jpg')));
  await client.appendFrom('rest.jpg', 'resumed.jpg');
});
await act('download', async () => {
  await client.downloadTo('got.jpg', '/done/kept.jpg');
  check(readFileSync('got.jpg').equals(picture), 'other bytes');
});
await act('resume a download', async () => {
  writeFileSync('part.jpg', '');
  appendFileSync('part.jpg', picture.subarray(0, 1000));
  await client.downloadTo('part.jpg', '/done/kept.jpg', 1000);
  check(readFileSync('part.jpg').equals(picture), 'other bytes');
});
await act('rename', async () => {
  await client.uploadFrom(PICTURE, 'renamed.tmp');
  await client.rename('renamed.tmp', 'renamed.jpg');
});
await act('delete', () => client.remove('/incoming/old.jpg'));
client.close();
