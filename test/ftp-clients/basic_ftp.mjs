import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Client } from 'basic-ftp';

const { FTP_HOST, FTP_PORT, FTP_USER, FTP_PASSWORD, IMAGE, MODE } = process.env;
const image = readFileSync(IMAGE);
const client = new Client(10_000);

async function step(name, work) {
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
await step('upload', () => client.uploadFrom(IMAGE, 'sent.jpg'));
await step('upload into a new folder', async () => {
  await client.ensureDir('DCIM/100');
  await client.uploadFrom(IMAGE, 'sent.jpg');
  await client.cd('/');
});
await step('list', async () => {
  const [entry] = await client.list('DCIM/100');
  check(entry?.name === 'sent.jpg' && entry.size === image.length && entry.isFile, JSON.stringify(entry));
});
await step('list as ls -l', async () => {
  client.availableListCommands = ['LIST'];
  const [entry] = await client.list('DCIM/100');
  check(entry?.name === 'sent.jpg' && entry.size === image.length && entry.isFile, JSON.stringify(entry));
});
await step('size', async () => check((await client.size('sent.jpg')) === image.length, 'another size'));
await step('resume an upload', async () => {
  writeFileSync('rest.jpg', image.subarray(await client.size('resumed.jpg')));
  await client.appendFrom('rest.jpg', 'resumed.jpg');
});
await step('download', async () => {
  await client.downloadTo('got.jpg', '/done/kept.jpg');
  check(readFileSync('got.jpg').equals(image), 'other bytes');
});
await step('resume a download', async () => {
  writeFileSync('part.jpg', '');
  appendFileSync('part.jpg', image.subarray(0, 1000));
  await client.downloadTo('part.jpg', '/done/kept.jpg', 1000);
  check(readFileSync('part.jpg').equals(image), 'other bytes');
});
await step('rename', async () => {
  await client.uploadFrom(IMAGE, 'renamed.tmp');
  await client.rename('renamed.tmp', 'renamed.jpg');
});
await step('delete', () => client.remove('/incoming/old.jpg'));
client.close();
