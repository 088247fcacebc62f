import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  createLynceusClient,
  type LynceusClient,
  type TimelineInterval,
  type Video,
  type VideoSettingsInput,
  type VideoTimeline,
} from '@lynceus/client';
import sharp from 'sharp';
import { renderFilm } from '#server/streams/videos/fixtures/render-film.js';
import { seededRandom } from '../accuracy/bootstrap.js';
import { limits } from '../accuracy/through-engine.js';
import { startEngine } from '../engine.js';
import { type Portrait as FacePortrait, readPeople } from '../faces/people.js';
import type { Half } from '../half.js';
import { startService } from '../service.js';
import { formatTable, share } from '../table.js';
import { drawText } from '../text/draw.js';
import { latinFonts } from '../text/fonts.js';
import { readCutOuts } from '../tracking/cut-outs.js';
import { filmSize, type Portrait, planFilm, type Segment, segmentSeconds } from './plan-film.js';
import { type SeenInterval, scoreTimeline } from './score-timeline.js';

const framesPerSecond = 12.5;
const words = ['Platform 12', 'No entry', 'B 4711 KX', 'Open daily', 'Gate 7', 'Tickets'];
/** Portraits of a person that are enrolled; another is in the film. */
const enrolledImages = 2;
const fps = 2;

/**
 * A film with objects, people and texts at known times through the service: how much of it is in the timeline, how much of the timeline
 * is right, and how fast it was.
 */
export async function runVideo({
  data,
  half,
  minutes,
}: {
  readonly data: string;
  readonly half: Half;
  readonly minutes: number;
}): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-bench-video-'));
  const service = await startService();
  try {
    const client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    const people = splitPeople(await readPeople(data));
    const perceptionId = await enrol(client, people.enrolled);
    const segments = await planFilm(
      {
        ...{ dir, random: seededRandom(half === 'tune' ? 1 : 101) },
        ...(await findCutOuts(data, half)),
        portraits: await writePortraits(dir, people.shown),
        texts: await writeTexts(dir),
      },
      Math.round((minutes * 60) / segmentSeconds),
    );
    const film = await renderSegments(dir, segments);
    const file = new File([await readFile(film)], 'film.mp4');
    console.log(
      `${minutes} minutes of ${filmSize.width} x ${filmSize.height}, ${file.size} bytes; ${people.enrolled.length} portraits enrolled\n`,
    );
    const settings: readonly (readonly [string, VideoSettingsInput])[] = [
      ['objects', { fps, parts: ['objects'] }],
      ['objects, texts', { fps, parts: ['objects', 'texts'] }],
      [
        'objects, texts, names',
        { fps, parts: ['objects', 'texts'], names_people: true, perception_id: perceptionId },
      ],
    ];
    const speeds = [['looked for', 'seconds', 'times real time']];
    for (const [name, wanted] of settings) {
      const video = await lookThrough(client, file, wanted);
      const seconds = secondsOf(video);
      speeds.push([name, seconds.toFixed(1), ((minutes * 60) / seconds).toFixed(1)]);
      if (wanted.names_people) {
        const timeline = await client.videos.readTimeline(video.id);
        console.log(`${formatTable(scores(segments, timeline))}\n`);
      }
      await client.videos.remove(video.id);
    }
    console.log(formatTable(speeds));
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface ShownPortrait {
  readonly portrait: FacePortrait;
  /** Null: nothing of this person was enrolled. */
  readonly name: string | null;
}

/** Of each person some portraits are enrolled and another is shown; people with too few are strangers. */
function splitPeople(all: readonly FacePortrait[]) {
  const names = [...new Set(all.map(({ person }) => person))];
  const of = (name: string) => all.filter(({ person }) => person === name);
  const known = names.filter((name) => of(name).length > enrolledImages);
  return {
    enrolled: known.flatMap((name) => of(name).slice(0, enrolledImages)),
    shown: names.flatMap((name): ShownPortrait[] => {
      const isKnown = known.includes(name);
      const portraits = isKnown ? of(name).slice(enrolledImages, enrolledImages + 2) : of(name).slice(0, 1);
      return portraits.map((portrait) => ({ portrait, name: isKnown ? name : null }));
    }),
  };
}

async function enrol(client: LynceusClient, portraits: readonly FacePortrait[]): Promise<number> {
  const { model_id: modelId } = await client.perceptions.create({ name: 'film' });
  for (const { bytes, person } of portraits)
    await client.faceImages.addByKeyId(bytes, { modelId, keyId: person });
  return modelId;
}

async function writePortraits(dir: string, shown: readonly ShownPortrait[]): Promise<Portrait[]> {
  return Promise.all(
    shown.map(async ({ portrait, name }, index) => {
      const path = join(dir, `portrait-${index}.jpg`);
      await writeFile(path, portrait.bytes);
      return { name, path };
    }),
  );
}

async function writeTexts(dir: string) {
  const [font] = latinFonts;
  if (!font) throw new Error('There is no font.');
  return Promise.all(
    words.map(async (text, index) => {
      const whole = await drawText({
        ...{ lines: [text], font, sizePx: 48, background: 'black on white', angleDeg: 0, photo: null },
      });
      const path = join(dir, `text-${index}.png`);
      await sharp(whole).extract({ left: 40, top: 40, width: 480, height: 100 }).png().toFile(path);
      return { text, path };
    }),
  );
}

async function findCutOuts(data: string, half: Half) {
  const engine = await startEngine();
  try {
    const model = engine.ref('coco-ssd');
    return await readCutOuts(data, half, async (bytes) => {
      const options = { models: [model], detail: 'normal', minScore: 0.15, nmsIou: 0.45 } as const;
      const { results } = await engine.runner.analyse(
        { source: { kind: 'bytes', bytes }, limits, tasks: [{ task: 'detect', options }] },
        { priority: 'batch' },
      );
      return results.detect?.detections ?? [];
    });
  } finally {
    await engine.close();
  }
}

async function renderSegments(dir: string, segments: readonly Segment[]): Promise<string> {
  const names: string[] = [];
  for (const [index, { background, images }] of segments.entries()) {
    const path = join(dir, `segment-${index}.mp4`);
    await renderFilm(path, {
      ...filmSize,
      seconds: segmentSeconds,
      fps: framesPerSecond,
      background,
      images,
    });
    names.push(path);
  }
  const list = join(dir, 'segments.txt');
  await writeFile(list, names.map((name) => `file '${name}'\n`).join(''));
  const film = join(dir, 'film.mp4');
  await promisify(execFile)('ffmpeg', [
    ...['-hide_banner', '-loglevel', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', list],
    ...['-c', 'copy', film],
  ]);
  return film;
}

async function lookThrough(client: LynceusClient, file: File, settings: VideoSettingsInput): Promise<Video> {
  const { id } = await client.videos.upload(file, { settings });
  for (;;) {
    const video = await client.videos.read(id);
    if (video.state === 'done' && video.job?.ended_at) return video;
    if (video.state === 'failed') throw new Error(video.job?.error ?? 'The work on the film failed.');
    await sleep(250);
  }
}

function secondsOf({ job }: Video): number {
  return (Date.parse(job?.ended_at ?? '') - Date.parse(job?.started_at ?? '')) / 1000;
}

function scores(segments: readonly Segment[], timeline: VideoTimeline): string[][] {
  const toSeen = (key: string, intervals: readonly TimelineInterval[]): SeenInterval[] =>
    intervals.map(({ start_seconds, end_seconds }) => ({
      ...{ key, startSeconds: start_seconds, endSeconds: end_seconds },
    }));
  const planted = {
    objects: segments.flatMap(({ objects }) => objects),
    people: segments.flatMap(({ people }) => people),
    texts: segments.flatMap(({ texts }) => texts),
  };
  // Of texts, those that were planted: signs are read in photographs too.
  const keyOf = (text: string) => text.replaceAll(/\W/g, '').toLowerCase();
  const reported = {
    objects: timeline.classes.flatMap(({ label, intervals }) => toSeen(label, intervals)),
    people: timeline.people.flatMap(({ person, intervals }) => toSeen(person.name, intervals)),
    texts: timeline.texts.flatMap(({ text, intervals }) => toSeen(keyOf(text), intervals)),
  };
  const texts = planted.texts.map((each) => ({ ...each, key: keyOf(each.key) }));
  const known = new Set(texts.map(({ key }) => key));
  const tolerance = 1 / fps;
  const row = (name: string, wanted: readonly SeenInterval[], given: readonly SeenInterval[]) => {
    const score = scoreTimeline(wanted, given, tolerance);
    return [name, String(score.planted), String(score.found), share(score.recall), share(score.precision)];
  };
  return [
    ['what', 'planted', 'found', 'recall by seconds', 'precision by seconds'],
    row('objects by class', planted.objects, reported.objects),
    row('people by name', planted.people, reported.people),
    row(
      'texts',
      texts,
      reported.texts.filter(({ key }) => known.has(key)),
    ),
  ];
}
