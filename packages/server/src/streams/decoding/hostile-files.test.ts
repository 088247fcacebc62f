import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeFile } from '../fixtures/decode-file.js';
import { refersTo } from '../fixtures/external-reference.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';

const maybe = test.skipIf(!haveFfmpeg());
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostile-files-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

maybe('a playlist that is named as a video opens nothing that it names', async () => {
  const video = await makeVideo(dir, 'real.ts');
  const lists = {
    'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${video}\n#EXT-X-ENDLIST\n`,
    'concat.mp4': `ffconcat version 1.0\nfile '${video}'\n`,
    'sdp.mp4':
      'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5000 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'text.mp4': 'hello\n',
    'empty.mp4': '',
  };
  await Promise.all(Object.entries(lists).map(([name, text]) => writeFile(join(dir, name), text)));
  // It is read by an ffmpeg that opens what it likes.
  await runFfmpeg(dir, ['-allowed_extensions', 'ALL', '-i', 'hls.mp4', '-f', 'null', '-']);
  await runFfmpeg(dir, ['-safe', '0', '-i', 'concat.mp4', '-f', 'null', '-']);
  for (const name of Object.keys(lists)) {
    const path = join(dir, name);
    const { frames, failure } = await decodeFile(path);
    expect([name, frames.length]).toEqual([name, 0]);
    expect(failure).toMatchObject({ name: 'StreamFailure' });
  }
});

maybe('a video that refers to another file does not open it', async () => {
  const video = await makeVideo(dir, 'referred.mp4', { seconds: 1 });
  const path = join(dir, 'refers.mp4');
  await writeFile(path, refersTo(await readFile(video), video));
  // It does refer: an ffmpeg that may follow it does.
  await runFfmpeg(dir, ['-enable_drefs', '1', '-use_absolute_path', '1', '-i', path, 'followed.mkv']);
  expect((await decodeFile(join(dir, 'followed.mkv'))).frames).toHaveLength(10);
  expect(await decodeFile(path)).toMatchObject({ frames: [], failure: { name: 'StreamFailure' } });
});

maybe('damaged video gives the frames that can be decoded, or a reason', async () => {
  const whole = await readFile(await makeVideo(dir, 'damaged.ts', { fps: 25, seconds: 3, keyInterval: 25 }));
  let seed = 7;
  for (let at = 2000; at < whole.length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    // Headers of packets stay whole; one byte of a hundred changes.
    if (at % 188 > 8 && seed >>> 24 < 3) whole[at] = seed & 0xff;
  }
  const path = join(dir, 'broken.ts');
  await writeFile(path, whole);
  const { frames, end } = await decodeFile(path);
  expect(['ended', 'failed', 'resized']).toContain(end.kind);
  expect(frames.length).toBeGreaterThan(0);
  const noise = join(dir, 'noise.ts');
  await writeFile(
    noise,
    whole.map((_, at) => (at % 188 === 0 ? 0x47 : (at * 7919) & 0xff)),
  );
  expect((await decodeFile(noise)).failure).toMatchObject({ name: 'StreamFailure' });
});

maybe('sound alone is no video', async () => {
  await runFfmpeg(dir, ['-f', 'lavfi', '-i', 'sine=duration=1', 'sound.mp4']);
  expect((await decodeFile(join(dir, 'sound.mp4'))).failure).toMatchObject({
    code: 'no-video',
    message: 'there is no video in it',
  });
});
