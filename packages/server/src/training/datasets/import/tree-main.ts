import { open } from 'node:fs/promises';
import { endWithParent } from '@lynceus/engine/child-process';
import { FormatError, maybeImage, type Plan, type PlanFinding } from '../formats/plan.js';
import { readTree } from '../formats/read-tree.js';
import type { Extracted, TreeAnswers, TreeMessage, TreePlan, TreeReport, TreeRequest } from './messages.js';
import { type OpenTree, openTree } from './open-tree.js';
import { boundPlan, cut, itemsFrom, portionOf } from './plan-bounds.js';
import { toTree } from './to-tree.js';

let opened: OpenTree | null = null;
let plan: Plan | null = null;

async function carryOut(request: TreeRequest): Promise<TreeAnswers[keyof TreeAnswers]> {
  switch (request.ask) {
    case 'plan':
      return makePlan(request);
    case 'classes':
      return itemsFrom(plan?.classes ?? [], request.from, (name) => name.length);
    case 'unlabelled':
      return itemsFrom(plan?.unlabelled ?? [], request.from, (name) => name.length);
    case 'findings':
      return itemsFrom(plan?.findings ?? [], request.from, lengthOf);
    case 'next':
      return portionOf(plan?.images ?? [], request);
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
  const guesses = new Map<string, string>();
  const onGuess = (file: string, encoding: string) => guesses.set(file, encoding);
  const whole = await readTree(toTree(opened, onGuess), format);
  const refused = opened.refused.map(
    ({ path, message }) => ({ problem: 'refused-file', file: path, message, labels: 0 }) as const,
  );
  const { guessedNames } = opened;
  const names = guessedNames
    ? [{ problem: 'encoding', file: guessedNames.path, message: guessedNames.message, labels: 0 } as const]
    : [];
  const findings = [...refused, ...names, ...[...guesses].map(toFinding), ...whole.findings];
  plan = boundPlan({ ...whole, findings });
  return {
    format: plan.format,
    classes: plan.classes.length,
    unlabelled: plan.unlabelled?.length ?? 0,
    images: plan.images.length,
    findings: plan.findings.length,
  };
}

function lengthOf({ file, message }: PlanFinding): number {
  return (file?.length ?? 0) + message.length;
}

function toFinding([file, encoding]: readonly [string, string]) {
  const message = `it is not all in UTF-8, and the rest was read as ${encoding}: look at its names, or save it in UTF-8`;
  return { problem: 'encoding', file, message, labels: 0 } as const;
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

endWithParent();
process.on('message', ({ id, request }: TreeMessage) => {
  const report = (message: TreeReport) => process.send?.(message);
  carryOut(request).then(
    (answer) => report({ id, answer }),
    (error: unknown) =>
      report({
        id,
        failure: cut(error instanceof Error ? error.message : String(error)),
        isUserError: error instanceof FormatError,
        code: error instanceof Error && 'code' in error ? String(error.code) : undefined,
      }),
  );
});
