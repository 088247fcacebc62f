import { open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { FormatError, maybeImage, type Plan } from '../formats/plan.js';
import { readTree } from '../formats/read-tree.js';
import type { Extracted, TreeAnswers, TreeMessage, TreePlan, TreeReport, TreeRequest } from './messages.js';
import { type OpenTree, openTree } from './open-tree.js';
import { toTree } from './to-tree.js';

/** Findings that are sent over; a file of annotations can have as many as it has lines. */
const maxFindings = 5000;

let opened: OpenTree | null = null;
let plan: Plan | null = null;

async function carryOut(request: TreeRequest): Promise<TreeAnswers[keyof TreeAnswers]> {
  switch (request.ask) {
    case 'plan':
      return makePlan(request);
    case 'next':
      return plan?.images.slice(request.from, request.from + request.count) ?? [];
    case 'extract':
      return extract(request);
  }
}

async function makePlan({ location, format }: Extract<TreeRequest, { ask: 'plan' }>): Promise<TreePlan> {
  opened = await openTree(location);
  const [refusedFirst] = opened.refused;
  if (refusedFirst && !opened.paths.some(maybeImage)) {
    const { path, message } = refusedFirst;
    throw new FormatError(`there is no image in it that can be taken; of ${path}: ${message}`);
  }
  plan = await readTree(toTree(opened), format);
  const refused = opened.refused.map(
    ({ path, message }) => ({ problem: 'refused-file', file: path, message, labels: 0 }) as const,
  );
  return {
    format: plan.format,
    classes: plan.classes,
    images: plan.images.length,
    findings: [...refused, ...plan.findings].slice(0, maxFindings),
  };
}

async function extract({
  path,
  toPath,
  maxBytes,
}: Extract<TreeRequest, { ask: 'extract' }>): Promise<Extracted> {
  if (!opened) throw new Error('nothing is open');
  const file = await open(toPath, 'w', 0o600);
  let bytes = 0;
  try {
    for await (const piece of opened.read(path)) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) return { problem: 'too-large' };
      await file.writeFile(piece);
    }
    return { bytes };
  } catch (error) {
    // A full disk is no fault of the zip.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
      throw error;
    return { problem: 'unreadable' };
  } finally {
    await file.close();
  }
}

parentPort?.on('message', ({ id, request }: TreeMessage) => {
  const report = (message: TreeReport) => parentPort?.postMessage(message);
  carryOut(request).then(
    (answer) => report({ id, answer }),
    (error: unknown) =>
      report({
        id,
        failure: error instanceof Error ? error.message : String(error),
        isUserError: error instanceof FormatError,
        code: error instanceof Error && 'code' in error ? String(error.code) : undefined,
      }),
  );
});
