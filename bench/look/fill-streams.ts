import { type Ask, createAsk, until } from '../ask.js';
import type { Service } from '../service.js';
import { insertTracks, renderStreetFilm } from './stream-records.js';

const longName = 'The camera above the side entrance of the old observatory, winter term';
const minuteMs = 60_000;

/** Streams that nobody runs with what they saw, outputs, and a video that was analysed. */
export async function fillStreams(service: Service): Promise<void> {
  const ask = createAsk(service);
  const film = await renderStreetFilm();
  await fillVideos(ask, film.mp4);
  await fillOutputs(ask);
  const { id: accountId } = await ask('GET', '/api/account');
  const entrance = await addStream(ask, 'Entrance');
  const observatory = await addStream(ask, longName);
  // Its address is not allowed: it is away, and says why.
  await addStream(ask, 'Yard', true);
  const whose = { accountId: Number(accountId), snapshot: film.frame };
  const now = Date.now();
  const zone = 'gate';
  await insertTracks(service, [
    { ...whose, streamId: observatory, label: 'car', startedAtMs: now - 90 * minuteMs },
    {
      ...{ ...whose, streamId: entrance, zone, clip: film.mp4, startedAtMs: now - 60 * minuteMs },
      person: { personId: 1001, name: 'Ada Lovelace', score: 0.93 },
      kinds: ['start', 'zone_entered', 'person_recognised', 'zone_left', 'end'],
    },
    { ...whose, streamId: entrance, label: 'stop sign', startedAtMs: now - 5 * minuteMs, clip: film.mp4 },
    { accountId: Number(accountId), streamId: entrance, label: 'dog', startedAtMs: now, kinds: ['start'] },
  ]);
}

async function addStream(ask: Ask, name: string, enabled = false): Promise<number> {
  const source = { kind: 'rtsp', address: 'rtsp://127.0.0.1:9/live' };
  const polygon = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
  ];
  const settings = { zones: [{ name: 'gate', polygon, classes: [] }] };
  const { id } = await ask('POST', '/api/streams', { name, source, settings, enabled });
  return Number(id);
}

/** One of each kind, to which nothing can be sent: nobody listens there. */
async function fillOutputs(ask: Ask): Promise<void> {
  const hook = { kind: 'webhook', url: 'http://127.0.0.1:2999/events', labels: ['person'] };
  await ask('POST', '/api/stream-outputs', { name: 'Night watch', settings: hook });
  const broker = { kind: 'mqtt', url: 'mqtt://127.0.0.1:2999', home_assistant: true, frigate: true };
  const secrets = { password: 'a-password' };
  const body = { name: `Broker of ${longName}`, settings: broker, secrets, enabled: false };
  await ask('POST', '/api/stream-outputs', body);
}

async function fillVideos(ask: Ask, mp4: Buffer): Promise<void> {
  const settings = JSON.stringify({ fps: 1, parts: ['objects', 'texts', 'classes'] });
  const send = (name: string, bytes: Buffer) => {
    const form = new FormData();
    form.set('settings', settings);
    form.set('file', new File([new Uint8Array(bytes)], name));
    return ask('POST', '/api/videos', form);
  };
  const film = await send('street.mp4', mp4);
  // What only begins like a film fails, and says why.
  const broken = await send(
    'The film that was recorded at the side entrance, cut off.mp4',
    mp4.subarray(0, 4000),
  );
  for (const { id } of [film, broken]) {
    await until(async () => {
      const { state } = await ask('GET', `/api/videos/${id}`);
      return state === 'done' || state === 'failed';
    });
  }
}
