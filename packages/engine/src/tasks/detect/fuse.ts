import { type Box, boxIou } from '../../image/box.js';

/** A box of one model before fusion; `score` 0 to 1, `classIndex` into the labels that all models share. */
export interface Candidate {
  readonly classIndex: number;
  readonly score: number;
  readonly box: Box;
}

interface Cluster {
  readonly classIndex: number;
  readonly members: { readonly candidate: Candidate; readonly model: number }[];
  box: Box;
}

/**
 * Weighted boxes fusion (Solovyev, Wang, Gabruseva 2019, arXiv:1910.13302) of several models' boxes. Boxes of one
 * class whose IoU with a cluster's fused box exceeds `minIou` join it; the fused box is their mean weighted by
 * score. Its score is the mean over all models of each one's best, 0 for a model without a box: the paper's mean over
 * boxes lets a model's own duplicates lower the score of a certain object (measured: a better AP50 and AP). Best first.
 */
export function fuseBoxes(byModel: readonly (readonly Candidate[])[], minIou: number): Candidate[] {
  const all = byModel
    .flatMap((candidates, model) => candidates.map((candidate) => ({ candidate, model })))
    .sort((a, b) => b.candidate.score - a.candidate.score);
  const clustersByClass = new Map<number, Cluster[]>();
  for (const entry of all) {
    const { classIndex, box } = entry.candidate;
    const clusters = clustersByClass.get(classIndex) ?? [];
    clustersByClass.set(classIndex, clusters);
    const cluster = bestCluster(clusters, box, minIou);
    if (cluster) {
      cluster.members.push(entry);
      cluster.box = weightedBox(cluster.members.map((member) => member.candidate));
    } else {
      clusters.push({ classIndex, members: [entry], box });
    }
  }
  return [...clustersByClass.values()]
    .flat()
    .map((cluster) => ({
      classIndex: cluster.classIndex,
      score: clusterScore(cluster, byModel.length),
      box: cluster.box,
    }))
    .sort((a, b) => b.score - a.score);
}

function bestCluster(clusters: readonly Cluster[], box: Box, minIou: number): Cluster | undefined {
  let best: Cluster | undefined;
  let bestIou = minIou;
  for (const cluster of clusters) {
    const iou = boxIou(cluster.box, box);
    if (iou > bestIou) {
      best = cluster;
      bestIou = iou;
    }
  }
  return best;
}

function clusterScore({ members }: Cluster, modelCount: number): number {
  const bestByModel = new Map<number, number>();
  for (const { candidate, model } of members) {
    bestByModel.set(model, Math.max(bestByModel.get(model) ?? 0, candidate.score));
  }
  return [...bestByModel.values()].reduce((sum, score) => sum + score, 0) / modelCount;
}

function weightedBox(candidates: readonly Candidate[]): Box {
  const weight = candidates.reduce((sum, { score }) => sum + score, 0);
  const mean = (side: keyof Box) =>
    candidates.reduce((sum, { score, box }) => sum + score * box[side], 0) / weight;
  return { xMin: mean('xMin'), yMin: mean('yMin'), xMax: mean('xMax'), yMax: mean('yMax') };
}
