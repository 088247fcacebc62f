import type { LynceusClient } from '@lynceus/client';
import type { Finding } from '../kit/image/finding.js';
import type { ChosenImage } from '../kit/image/image-input.js';
import { findClasses, findDetections, findGeneral } from './findings.js';
import type { Wish } from './wish.js';

/** What a call was answered: the body as it is, what it says, and how long it took as seen from here. */
export interface Analysis {
  readonly body: unknown;
  readonly fileId: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
}

export async function analyse(
  client: LynceusClient,
  chosen: ChosenImage,
  wish: Wish,
  signal: AbortSignal,
): Promise<Analysis> {
  const startMs = performance.now();
  const found = await ask(client, 'file' in chosen ? chosen.file : { url: chosen.url }, wish, signal);
  return { ...found, durationMs: performance.now() - startMs };
}

async function ask(
  client: LynceusClient,
  image: File | { url: string },
  wish: Wish,
  signal: AbortSignal,
): Promise<Omit<Analysis, 'durationMs'>> {
  if (wish.kind === 'general') {
    const { parts, predictType } = wish;
    const body = await client.recognise(image, { parts, predictType, signal });
    return { body, fileId: body.fileid, findings: findGeneral(body) };
  }
  if (wish.kind === 'classify') {
    const { fileid, ...body } = await client.recogniseWith(image, { modelId: wish.modelId, signal });
    return { body, fileId: fileid, findings: findClasses(body.predictions) };
  }
  const { modelId, confThresh } = wish;
  const { fileid, ...body } = await client.detectObjects(image, { modelId, confThresh, signal });
  return { body, fileId: fileid, findings: findDetections(body.predictions) };
}
