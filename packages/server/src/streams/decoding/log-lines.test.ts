import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainFfmpeg, maskLine } from './explain-ffmpeg.js';
import { LineReader } from './line-reader.js';
import { parseFrameInfo, parseVideoInfo } from './log-lines.js';

test('the line of each frame gives position and size, in old and new versions of ffmpeg', () => {
  const old =
    '[Parsed_showinfo_2 @ 0x55] [info] n:   4 pts:  25600 pts_time:2.04    pos:   598730 fmt:yuv420p sar:1/1 s:1280x720 i:P iskey:1 type:I ';
  const recent =
    '[Parsed_showinfo_2 @ 0x55] [info] n:  20 pts:  20480 pts_time:1.6     duration:   1024 duration_time:0.08    fmt:yuv420p cl:left sar:1/1 s:1920x1080 i:P iskey:0 type:B ';
  expect(parseFrameInfo(old)).toEqual({ positionMs: 2040, sourceWidth: 1280, sourceHeight: 720 });
  expect(parseFrameInfo(recent)).toEqual({ positionMs: 1600, sourceWidth: 1920, sourceHeight: 1080 });
  expect(parseFrameInfo(old.replace('2.04', 'NOPTS'))).toMatchObject({ positionMs: null });
  expect(
    parseFrameInfo('[Parsed_showinfo_2 @ 0x55] [info] color_range:unknown color_space:unknown'),
  ).toBeNull();
});

test.each([
  [
    '[info]   Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1280x720 [SAR 1:1 DAR 16:9], 2434 kb/s, 25 fps, 25 tbr',
    { codec: 'h264', width: 1280, height: 720, fps: 25 },
  ],
  [
    '[info]   Stream #0:1: Video: hevc (Main), yuvj420p(pc, bt709), 3840x2160, 14.98 fps, 90k tbn',
    { codec: 'hevc', width: 3840, height: 2160, fps: 14.98 },
  ],
  [
    '[info]   Stream #0:0: Video: mjpeg (Baseline), yuvj420p(pc, bt470bg/unknown/unknown), 640x360 [SAR 1:1 DAR 16:9], 25 tbr, 90k tbn',
    { codec: 'mjpeg', width: 640, height: 360, fps: null },
  ],
  ['[info]   Stream #0:1: Audio: aac, 48000 Hz', null],
])('%s', (line, video) => {
  expect(parseVideoInfo(line)).toEqual(video);
});

test('lines are cut at their longest length, wherever chunks end', () => {
  const text = 'one\n\ntwo \r\nthree-is-long\nrest';
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
      const lines: string[] = [];
      const reader = new LineReader(5, (line) => lines.push(line));
      const sorted = [0, ...cuts.sort((a, b) => a - b), text.length];
      for (const [index, end] of sorted.slice(1).entries())
        reader.push(Buffer.from(text.slice(sorted[index], end)));
      expect(lines).toEqual(['one', 'two', 'three']);
    }),
  );
});

test('log lines hold neither addresses nor secrets', () => {
  expect(
    maskLine('[rtsp @ 0x5] [error] rtsp://127.0.0.1:4000/abc: Server  returned 401, hunter2', [
      'hunter2',
      '',
    ]),
  ).toBe('(address) Server returned 401, ***');
});

test.each([
  [['Error while decoding stream #0:0: Invalid data found when processing input'], 1, 'protocol'],
  [["Stream map '0:v:0' matches no streams."], 1, 'no-video'],
  [['Decoder (codec vvc) not found for input stream #0:0'], 1, 'no-video'],
  [['[h264 @ 0x] Picture size 16384x16384 is invalid'], 1, 'no-video'],
  [['/dev/video0: Device or resource busy'], 1, 'unreachable'],
  [['Cannot allocate memory'], 1, 'decoder'],
  [[], 127, 'decoder'],
  [['something new'], 1, 'decoder'],
] as const)('%j is explained', (lines, exitCode, code) => {
  const failure = explainFfmpeg(lines, exitCode);
  expect(failure.code).toBe(code);
  expect(failure.message).not.toBe('');
});
