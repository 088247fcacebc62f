import { type FaceChainName, faceChains } from '@lynceus/engine';
import { formatTable, share } from '../table.js';
import { missed, type PairScores } from './pairs.js';

const tenths = 10;

/**
 * What a similarity means: by tenths of it, the pairs of one person and of two, and how likely one person is at even odds, that is
 * where as many pairs are of one person as of two. The expected calibration error weighs both kinds of pairs alike.
 */
export function similarityTable(chain: FaceChainName, { genuine, impostor }: PairScores): string {
  const { decisionCosine, cosineSlope } = faceChains[chain];
  const similarities = (cosines: readonly number[]) =>
    cosines
      .filter((cosine) => cosine !== missed)
      .map((cosine) => 1 / (1 + Math.exp(-cosineSlope * (cosine - decisionCosine))));
  const [same, other] = [similarities(genuine), similarities(impostor)];
  const rows: string[][] = [];
  let error = 0;
  for (let tenth = 0; tenth < tenths; tenth++) {
    const inside = (values: readonly number[]) =>
      values.filter((value) => Math.min(tenths - 1, Math.floor(value * tenths)) === tenth);
    const [ofSame, ofOther] = [inside(same), inside(other)];
    const [sameMass, otherMass] = [ofSame.length / same.length, ofOther.length / other.length];
    const mass = sameMass + otherMass;
    const mean = (sum(ofSame) / same.length + sum(ofOther) / other.length) / (mass === 0 ? Number.NaN : mass);
    if (mass > 0) error += (mass / 2) * Math.abs(mean - sameMass / mass);
    rows.push([
      `${share(tenth / tenths)} to ${share((tenth + 1) / tenths)}`,
      String(ofSame.length),
      String(ofOther.length),
      mass > 0 ? share(mean) : '',
      mass > 0 ? share(sameMass / mass) : '',
    ]);
  }
  const heading = ['similarity', 'pairs of one person', 'of two', 'mean', 'one person, at even odds'];
  return `${chain}: expected calibration error ${share(error)} at even odds\n${formatTable([heading, ...rows])}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
