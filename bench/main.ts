import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAccountDeletion } from './account-deletion/run.js';
import { runAccuracy } from './accuracy/run.js';
import { runReliability } from './accuracy/run-reliability.js';
import { runSmallObjects } from './accuracy/small-objects.js';
import { runAgreement } from './agreement.js';
import { runCameras } from './cameras/run.js';
import { runChaos } from './chaos/run.js';
import { runConsoleSize } from './console-size/run.js';
import { runConsoleSpeed } from './console-speed/run.js';
import { runContainer } from './container/run.js';
import { runCrash } from './crash/run.js';
import { runDataSafety } from './data-safety/run.js';
import { runDropCrash } from './drop-crash/run.js';
import { runDropMany } from './drop-many/run.js';
import { runDropSpeed } from './drop-speed/run.js';
import { runFaceIndex } from './face-index/run.js';
import { runDegraded } from './faces/degraded/run.js';
import { runOpenSet } from './faces/open-set-run.js';
import { runFaces } from './faces/run.js';
import { runViews } from './faces/views-run.js';
import { runRoundTrip } from './faces-round-trip/run.js';
import { runFeatureSpeed } from './feature-speed/run.js';
import { runGate } from './gate/run.js';
import { parseHalf } from './half.js';
import { runInt8 } from './int8/run.js';
import { printIsolation } from './isolation/run.js';
import { drawFixtures } from './known-scripts/fixture.js';
import { learnKnownScripts } from './known-scripts/learn.js';
import { reportKnownScripts } from './known-scripts/report.js';
import { learnLetters } from './letters/run.js';
import { runLoad } from './load/run.js';
import { runLook } from './look/run.js';
import { runMovedBlobs } from './moved-blobs/run.js';
import { runNpmPackage } from './npm-package/run.js';
import { compareFaces } from './peers/faces.js';
import { compareFtp } from './peers/ftp-upload/run.js';
import { compareSftp } from './peers/sftp-upload/run.js';
import { compareText } from './peers/text.js';
import { runPredictMany } from './predict-many/run.js';
import { runRollingUpgrade } from './rolling-upgrade/run.js';
import { runScaleModel } from './scale/model/run.js';
import { runScale } from './scale/run.js';
import { runScaleCounting } from './scale-counting/run.js';
import { runSoak } from './soak.js';
import { runSpeed } from './speed/run.js';
import { runStreamCost } from './stream-cost/run.js';
import { runStreamKills } from './stream-kills/run.js';
import { runStreamLoad } from './stream-load/run.js';
import { runTagKills } from './tag-kills/run.js';
import { runTextLanguages } from './text/languages.js';
import { runText } from './text/run.js';
import { runTracking } from './tracking/run.js';
import { runTrainBeside } from './train-beside/run.js';
import { makeBackgrounds } from './train-detector/make-backgrounds.js';
import { runTrainDetector } from './train-detector/run.js';
import { runTrainClassifier } from './training/train-classifier.js';
import { runUploads } from './uploads/run.js';
import { runVideo } from './video/run.js';

const usage = `npm run bench -- COMMAND [options]

The engine
  accuracy  --data DIR [--half report] accuracy on labelled photographs, engine and HTTP
  reliability --data DIR [--half report]  whether scores are probabilities: diagrams and their error
  small-objects --data DIR [--half report]  objects by size in large scenes, as a whole and in slices
  speed     --data DIR [--seconds 8]  throughput against a bare loop; latencies; event-loop delay
  gate      --data DIR [--write] [--rounds 3]  ratios against bench/baseline.json: exit code 1 where one is worse
  agreement --data DIR               converted graphs against the original runtime, values and time
  int8      --data DIR               8-bit weights in each way that this CPU can run them: accuracy, CPU time
  text      [--data DIR] [--all]     reading of text that the benchmark draws
  text-languages [--half report]     reading of 17 languages and Chinese, in fonts that nothing was trained from
  letters   [--pages 1100] [--seed 1]  learns the letters of European languages for the text recogniser
  known-scripts  [--lines 100] [--seed 1]  learns which scripts the text recogniser reads
  other-scripts  [--lines 40] [--half report]  lines in scripts that are not read, which are left out, and others, which are not; --write draws the pages of the engine's tests
  uploads   --data DIR               model files of published packages, imported like a customer's

Video
  tracking  [--data DIR] [--half report]  objects followed through scenes of known truth; names by votes
  video     --data DIR [--minutes 5] [--half report]  a film with objects, people and texts at known times: its timeline, and how fast

Faces
  faces     --data DIR [--out DIR]   recognition, detection, cost; images of the results in --out
  faces-open-set --data DIR [--splits 200]  enrolled people and strangers; calibration of the similarity
  faces-degraded --data DIR [--half report] [--only mask,sunglasses]  damaged faces: strangers that match, and what the checks cost (an hour without --only)
  faces-views --data DIR [--half report]  eight views of each portrait: which are lost
  faces-round-trip --data DIR [--images 5000] [--searches 200]  export, deletion, import: the same answers
  face-index [--only alone|changes|postgres|http|replicas] [--faces 1000000]  search in stored faces: sizes, changes, pgvector

Training
  train-classifier --data DIR [--half report]  classifiers from few images, against simpler methods
  train-detector --data DIR [--only raccoons|marks] [--sizes 10,40] [--seeds 1,2] [--half report]  detectors from few images
  feature-speed --data DIR [--images 400] [--rounds 3]  features for a training run, against bare loops
  train-beside --data DIR [--seconds 20] [--rounds 3]  predictions during a training run, against predictions alone
  backgrounds --data PACKAGES        writes the background features that ship with the engine

The service
  soak      --data DIR [--requests 24000]  memory over many requests in a row
  load      [--minutes 10] [--clients 32]  well-behaved, misbehaving and slow clients: which guarantees hold
  crash     [--rounds 20] [--only faces|models]  kill -9 under load or during training: acknowledged data is there
  data-safety                        databases and data folders of different installations: files before and after; LYNCEUS_DATABASE_URL for PostgreSQL too
  account-deletion [--rounds 5]      deletion of an account with 200,000 rows during kill -9: the receipt is exact, nothing is left
  drop-crash [--rounds 50] [--protocol ftp|sftp|both]  kill -9 during uploads to drops with failing destinations: every file arrives once
  drop-speed --data DIR [--rounds 3]  images a minute through a drop, against the predictor's own limit
  cameras   --data DIR [--seconds 20]  detection as Frigate asks for it: one client, and how many cameras are answered in time
  stream-cost [--seconds 20]         CPU and memory of one camera (RTSP, 1280x720, 25 frames a second), by frames a second; GStreamer
  stream-load [--seconds 20] [--rounds 3] [--only users|cameras|memory]  cameras (RTSP, 1280x720, 25 frames a second) beside requests of users; how many are held; memory over --seconds; GStreamer
  scale     --data DIR [--seconds 10] [--rounds 3]  one replica and two on PostgreSQL behind nginx, each with half a core
  scale-model [--seconds 8]          what breaks first with 10, 100 and 1,000 replicas, from figures measured here
  scale-counting [--seconds 8] [--rounds 1]  calls a second of one account on PostgreSQL, one and two replicas, without inference
  chaos     [--rounds 20] [--seconds 60]  two replicas, PostgreSQL and an object store, each killed, stopped or cut off under load, so often
  moved-blobs [--images 10000] [--people 1000]  a filled installation moves to a bucket and back, copies are killed: equal by hash
  rolling-upgrade --from COMMIT [--seconds 10]  two replicas of a commit, replaced by this version one after the other under load
  npm-package [--only 24]            packs, then installs, starts and upgrades with Node.js 20, 22, 24 and npm 10, 11, from an empty home
  container                          builds the Dockerfile without a registry, runs it read-only, checks it (root; buildah, debootstrap)
  stream-kills [--rounds 20]         service, ffmpeg, inference, broker and camera killed amid a stream: no event is lost
  tag-kills --data DIR [--rounds 20] [--images 60]  kill -9 while a folder is tagged and undone: no image is damaged
  predict-many --data DIR [--images 48] [--rounds 3]  images a second of one command for many, against one for each
  drop-many [--files 1000000] [--minutes 10]  tiny files into one drop: refused, accepted, listed
  isolation [--only decoders] [--rounds 20]  an ordinary request of one account beside another that asks without end, for each thing that accounts share

The web account
  console-size                       every list of an account with 100,000 analyses; LYNCEUS_DATABASE_URL for PostgreSQL
  console-speed [--rounds 5]         first pages in Chromium: bytes, time until they respond
  look      --out DIR [--only keys]  screenshots of every page and window: light, dark and on a phone; findings of axe

Other programs (bench/peers/README.md)
  peers-text  [--data DIR] [--all]   reading of text, against Tesseract
  peers-faces --data DIR             detection and embedding of faces, against @vladmandic/human
  peers-ftp   [--rounds 3]           uploads by curl, against vsftpd
  peers-sftp  [--rounds 3]           uploads by OpenSSH's sftp, against its server and against FTP

DIR holds coco/images/*.jpg with coco/labels/*.txt (YOLO) and imagenet/n########_Title.JPEG; faces
needs faces/PERSON/*.jpg too, and train-classifier raccoon/images.`;

/** The benchmark command. */
export async function runBench(words: readonly string[]): Promise<void> {
  const [command, ...rest] = words;
  if (command === 'agreement') return runAgreement(rest);
  const { values } = parseArgs({
    args: rest,
    options: {
      data: { type: 'string' },
      from: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      out: { type: 'string' },
      minutes: { type: 'string' },
      rounds: { type: 'string' },
      protocol: { type: 'string' },
      faces: { type: 'string', default: '1000000' },
      files: { type: 'string', default: '1000000' },
      images: { type: 'string' },
      people: { type: 'string' },
      searches: { type: 'string', default: '200' },
      splits: { type: 'string', default: '200' },
      clients: { type: 'string', default: '32' },
      only: { type: 'string' },
      half: { type: 'string' },
      sizes: { type: 'string' },
      seeds: { type: 'string' },
      pages: { type: 'string', default: '1100' },
      seed: { type: 'string', default: '1' },
      lines: { type: 'string' },
      all: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const {
    data,
    seconds = '8',
    requests = '24000',
    out = join(tmpdir(), `lynceus-bench-${command}`),
  } = values;
  if (command === 'look') return runLook({ out, only: values.only });
  if (command === 'letters') return learnLetters({ pages: Number(values.pages), seed: Number(values.seed) });
  if (command === 'known-scripts')
    return learnKnownScripts({ lines: Number(values.lines ?? 100), seed: Number(values.seed) });
  if (command === 'other-scripts' && values.write) return drawFixtures();
  if (command === 'other-scripts')
    return reportKnownScripts(values.half === 'tune' ? 'tune' : 'report', Number(values.lines ?? 40));
  if (command === 'text-languages') return runTextLanguages(values.half === 'tune' ? 'tune' : 'report');
  if (command === 'tracking') return runTracking({ data, half: parseHalf(values.half) ?? 'report' });
  if (command === 'text') return runText({ data, all: values.all });
  if (command === 'face-index') return runFaceIndex({ only: values.only, faces: Number(values.faces) });
  if (command === 'load')
    return runLoad({ minutes: Number(values.minutes ?? 10), clients: Number(values.clients) });
  if (command === 'drop-many')
    return runDropMany({ files: Number(values.files), minutes: Number(values.minutes ?? 10) });
  if (command === 'isolation')
    return printIsolation({ only: values.only, times: Number(values.rounds ?? 20) });
  if (command === 'peers-text') return compareText({ data, all: values.all });
  if (command === 'peers-ftp') return compareFtp({ rounds: Number(values.rounds ?? 3) });
  if (command === 'peers-sftp') return compareSftp({ rounds: Number(values.rounds ?? 3) });
  if (command === 'console-size') return runConsoleSize();
  if (command === 'console-speed') return runConsoleSpeed({ rounds: Number(values.rounds ?? 5) });
  if (command === 'scale-counting')
    return runScaleCounting({ seconds: Number(seconds), rounds: Number(values.rounds ?? 1) });
  if (command === 'scale-model') return runScaleModel({ seconds: Number(seconds) });
  if (command === 'chaos')
    return runChaos({ rounds: Number(values.rounds ?? 20), seconds: Number(values.seconds ?? 60) });
  if (command === 'moved-blobs')
    return runMovedBlobs({ images: Number(values.images ?? 10_000), people: Number(values.people ?? 1000) });
  if (command === 'rolling-upgrade')
    return runRollingUpgrade({ from: values.from, seconds: Number(values.seconds ?? 10) });
  if (command === 'stream-cost') return runStreamCost({ seconds: Number(values.seconds ?? 20) });
  if (command === 'stream-load')
    return runStreamLoad({
      seconds: Number(values.seconds ?? 20),
      rounds: Number(values.rounds ?? 3),
      only: values.only,
    });
  if (command === 'container') return runContainer();
  if (command === 'npm-package') return runNpmPackage({ only: values.only });
  if (command === 'data-safety') return runDataSafety();
  if (command === 'account-deletion') return runAccountDeletion({ rounds: Number(values.rounds ?? 5) });
  if (command === 'stream-kills') return runStreamKills({ rounds: Number(values.rounds ?? 20) });
  if (command === 'drop-crash')
    return runDropCrash({ rounds: Number(values.rounds ?? 50), protocol: values.protocol ?? 'both' });
  if (command === 'crash') return runCrash({ rounds: Number(values.rounds ?? 20), only: values.only });
  if (!data) throw new Error(`--data is missing\n${usage}`);
  switch (command) {
    case 'accuracy':
      return runAccuracy({ data, half: parseHalf(values.half) });
    case 'small-objects':
      return runSmallObjects({ data, half: parseHalf(values.half) });
    case 'reliability':
      return runReliability({ data, half: parseHalf(values.half) });
    case 'faces':
      return runFaces({ data, out });
    case 'faces-degraded':
      return runDegraded({ data, half: parseHalf(values.half), only: values.only });
    case 'faces-views':
      return runViews({ data, half: parseHalf(values.half) });
    case 'peers-faces':
      return compareFaces({ data });
    case 'int8':
      return runInt8(data);
    case 'uploads':
      return runUploads({ data });
    case 'video':
      return runVideo({
        ...{ data, half: parseHalf(values.half) ?? 'report' },
        minutes: Number(values.minutes ?? 5),
      });
    case 'faces-open-set':
      return runOpenSet({ data, splits: Number(values.splits) });
    case 'faces-round-trip':
      return runRoundTrip({ data, images: Number(values.images ?? 5000), searches: Number(values.searches) });
    case 'train-classifier':
      return runTrainClassifier({ data, half: parseHalf(values.half) });
    case 'feature-speed':
      return runFeatureSpeed({
        data,
        images: Number(values.images ?? 400),
        rounds: Number(values.rounds ?? 3),
      });
    case 'train-beside':
      return runTrainBeside({
        data,
        seconds: Number(values.seconds ?? 20),
        rounds: Number(values.rounds ?? 3),
      });
    case 'drop-speed':
      return runDropSpeed({ data, rounds: Number(values.rounds ?? 3) });
    case 'cameras':
      return runCameras({ data, seconds: Number(values.seconds ?? 20) });
    case 'scale':
      return runScale({
        data,
        seconds: Number(values.seconds ?? 10),
        rounds: Number(values.rounds ?? 3),
      });
    case 'gate':
      return runGate({ data, write: values.write, rounds: Number(values.rounds ?? 3) });
    case 'speed':
      return runSpeed({ data, seconds: Number(seconds) });
    case 'train-detector':
      return runTrainDetector({
        data,
        only: values.only,
        ...(values.sizes && { sizes: values.sizes.split(',').map(Number) }),
        ...(values.seeds && { seeds: values.seeds.split(',').map(Number) }),
        half: parseHalf(values.half),
      });
    case 'tag-kills':
      return runTagKills({ data, rounds: Number(values.rounds ?? 20), images: Number(values.images ?? 60) });
    case 'predict-many':
      return runPredictMany({
        data,
        images: Number(values.images ?? 48),
        rounds: Number(values.rounds ?? 3),
      });
    case 'backgrounds':
      return makeBackgrounds({ data });
    case 'soak':
      return runSoak({ data, requests: Number(requests) });
    default:
      throw new Error(usage);
  }
}

await runBench(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
