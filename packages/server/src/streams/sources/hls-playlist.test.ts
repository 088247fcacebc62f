import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { rewritePlaylist } from './hls-playlist.js';

const base = new URL('https://cdn.example/live/index.m3u8?t=1');

function rewrite(text: string, options: { mayNamePlaylists?: boolean; preferredWidth?: number } = {}) {
  const named: string[] = [];
  const rename = (address: URL, role: string) => {
    named.push(`${role} ${address.href}`);
    return `/${named.length}`;
  };
  const { mayNamePlaylists = true, preferredWidth = 1280 } = options;
  return { text: rewritePlaylist(text, { base, mayNamePlaylists, preferredWidth, rename }), named };
}

test('a playlist of nothing but tags or line ends takes no time', async () => {
  const inputs = ['#EXT-X-STREAM-INF:\n'.repeat(4999), '\n'.repeat(1_000_000)];
  for (const text of inputs) {
    const { most } = await mostCpuBetweenTurns(async () => {
      try {
        rewrite(text);
      } catch {
        // Too many lines.
      }
    });
    expect(most).toBeLessThan(60);
  }
});

test('every address becomes one of the relay, and tags that may hold others are left out', () => {
  const { text, named } = rewrite(
    [
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-KEY:METHOD=AES-128,URI="key?k=1",IV=0x0F',
      '#EXT-X-MAP:URI="//other.example/init.mp4",BYTERANGE="700@0"',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="file:///etc/passwd"',
      '#EXT-X-DATERANGE:ID="x",X-ASSET-URI="http://127.0.0.1/"',
      '#EXTINF:4.0,',
      'a/1.ts',
      '#EXT-X-ENDLIST',
    ].join('\r\n'),
  );
  expect(named).toEqual([
    'key https://cdn.example/live/key?k=1',
    'segment https://other.example/init.mp4',
    'segment https://cdn.example/live/a/1.ts',
  ]);
  expect(text.split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-KEY:METHOD=AES-128,URI="/1",IV=0x0F',
    '#EXT-X-MAP:URI="/2",BYTERANGE="700@0"',
    '#EXTINF:4.0,',
    '/3',
    '#EXT-X-ENDLIST',
    '',
  ]);
});

const master = `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=3840x2160
big.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,CODECS="avc1.4d401f"
middle.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360
small.m3u8`;

test.each([
  [320, 'small'],
  [640, 'small'],
  [641, 'middle'],
  [1280, 'middle'],
  [2000, 'big'],
  [9999, 'big'],
])('for a width of %i the stream %s is taken', (preferredWidth, name) => {
  expect(rewrite(master, { preferredWidth }).named).toEqual([
    `variant https://cdn.example/live/${name}.m3u8`,
  ]);
});

test('a playlist that another names may name none itself', () => {
  expect(() => rewrite(master, { mayNamePlaylists: false })).toThrow(/names further ones/);
});

test.each([
  ['file:///etc/passwd', 'refused'],
  ['concat:a|b', 'refused'],
  ['data:text/plain,x', 'refused'],
  ['crypto+file:/etc/passwd', 'refused'],
  ['http://[x', 'protocol'],
  ['a'.repeat(5000), 'protocol'],
])('a segment at %s is refused', (address, code) => {
  expect(() => rewrite(`#EXTM3U\n#EXTINF:1,\n${address}`)).toThrow(expect.objectContaining({ code }));
  expect(() => rewrite(`#EXTM3U\n#EXT-X-MAP:URI="${address}"`)).toThrow(expect.objectContaining({ code }));
  expect(() => rewrite(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${address}`)).toThrow(
    expect.objectContaining({ code }),
  );
});

test('playlists of too many lines, and unknown encryption, are refused', () => {
  expect(() => rewrite(`#EXTM3U\n${'#EXTINF:1,\na.ts\n'.repeat(2600)}`)).toThrow(/more than 5000 lines/);
  expect(() => rewrite('#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"')).toThrow(/encrypted/);
});

test('whatever a playlist holds, no line of the result names anything but the relay', () => {
  const line = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom(
      '#EXTINF:1,',
      '#EXT-X-KEY:METHOD=AES-128,URI="x"',
      '#EXT-X-MAP:URI="y"',
      '#EXT-X-I-FRAME-STREAM-INF:URI="z"',
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      try {
        for (const each of rewrite(['#EXTM3U', ...lines].join('\n')).text.split('\n')) {
          if (each.startsWith('#'))
            for (const [, uri] of each.matchAll(/URI="([^"]*)"/g)) expect(uri).toMatch(/^\/\d+$/);
          else expect(each).toMatch(/^(\/\d+)?$/);
        }
      } catch (error) {
        expect(error).toMatchObject({ name: 'StreamFailure' });
      }
    }),
  );
});
