import { expect, test } from 'vitest';
import { baseOf, rewriteDescription } from './rtsp-description.js';

const sdp = (control: string, sessionControl = '*') => `v=0
o=- 1 1 IN IP4 169.254.169.254
s=Camera
c=IN IP4 239.1.1.1
a=control:${sessionControl}
m=audio 0 RTP/AVP 0
a=control:audio
m=video 5000 RTP/AVP 96
c=IN IP4 239.1.1.1
a=rtpmap:96 H264/90000
a=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0LAHw==,aM4=
a=control:${control}
a=x-secret:rtsp://admin:pw@10.0.0.1/
m=application 0 RTP/AVP 107
a=control:onvif
`;

test('video alone is left, under names of the relay, without addresses of the camera', () => {
  const found = rewriteDescription(sdp('trackID=1'), 'rtsp://10.0.0.9/main/');
  expect(found?.tracks).toEqual(new Map([['track0', 'rtsp://10.0.0.9/main/trackID=1']]));
  expect(found?.sdp.match(/^m=/gm)).toHaveLength(1);
  expect(found?.sdp).toContain('sprop-parameter-sets=Z0LAHw==,aM4=');
  expect(found?.sdp).not.toMatch(/169\.254|239\.|10\.0\.0|secret|pw/);
});

test.each([
  ['trackID=1', '*', 'rtsp://c/main', 'rtsp://c/main', 'rtsp://c/main/trackID=1'],
  [
    'trackID=1',
    '*',
    'rtsp://c/main?channel=1&subtype=0',
    'rtsp://c/main?channel=1&subtype=0',
    'rtsp://c/main?channel=1&subtype=0/trackID=1',
  ],
  ['rtsp://c/main/trackID=1', '*', 'rtsp://c/main/', 'rtsp://c/main/', 'rtsp://c/main/trackID=1'],
  [
    'rtsp://u:p@192.168.0.9/x',
    'rtsp://192.168.0.9/all',
    'rtsp://c/main',
    'rtsp://192.168.0.9/all',
    'rtsp://192.168.0.9/x',
  ],
  ['*', '*', 'rtsp://c/main', 'rtsp://c/main', 'rtsp://c/main'],
])('control %s, %s at %s', (control, session, base, aggregate, track) => {
  expect(rewriteDescription(sdp(control, session), base)).toMatchObject({
    aggregate,
    tracks: new Map([['track0', track]]),
  });
});

test('a camera without video has no description', () => {
  expect(rewriteDescription('v=0\nm=audio 0 RTP/AVP 0\n', 'rtsp://c/')).toBeNull();
  expect(rewriteDescription('', 'rtsp://c/')).toBeNull();
});

test('the base is what the camera calls itself, where that can be in a request', () => {
  expect(baseOf('rtsp://u:p@10.0.0.1:554/a/', 'rtsp://c/a')).toBe('rtsp://10.0.0.1:554/a/');
  expect(baseOf('http://10.0.0.1/', 'rtsp://c/a')).toBe('rtsp://c/a');
  expect(baseOf(undefined, 'rtsp://c/a')).toBe('rtsp://c/a');
});
