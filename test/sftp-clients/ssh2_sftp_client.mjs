import { readFile, stat } from 'node:fs/promises';
import Client from 'ssh2-sftp-client';

const { SFTP_PORT: port, SFTP_USER: username, SFTP_PASSWORD: password, IMAGE: image } = process.env;
const client = new Client();
const content = await readFile(image);
await client.connect({ host: '127.0.0.1', port: Number(port), username, password });

const act = async (name, work) => {
  try {
    if ((await work()) === false) throw new Error('the content is another');
    console.log(`${name}: done`);
  } catch (error) {
    console.log(`${name}: failed: ${error.message}`);
  }
};
await act('upload', () => client.put(image, 'sent.jpg'));
await act('upload in pieces at once', () => client.fastPut(image, 'fast.jpg'));
await act('upload into a new folder', async () => {
  await client.mkdir('DCIM/100', true);
  await client.put(content, 'DCIM/100/sent.jpg');
});
await act('list', async () => (await client.list('DCIM/100'))[0].name === 'sent.jpg');
await act('append to an upload', async () => {
  const { size } = await client.stat('appended.jpg');
  await client.append(content.subarray(size), 'appended.jpg');
});
await act('resume an upload', async () => {
  const { size } = await client.stat('resumed.jpg');
  await client.put(content.subarray(size), 'resumed.jpg', {
    writeStreamOptions: { flags: 'r+', start: size },
  });
});
await act('download', async () => (await client.get('/done/kept.jpg')).equals(content));
await act('download in pieces at once', async () => {
  await client.fastGet('/done/kept.jpg', 'got.jpg');
  return (await stat('got.jpg')).size === content.length;
});
await act('rename', async () => {
  await client.put(content, 'renamed.tmp');
  await client.posixRename('renamed.tmp', 'renamed.jpg');
});
await act('delete', () => client.delete('/incoming/old.jpg'));
await client.end();
