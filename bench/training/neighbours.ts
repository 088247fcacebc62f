/** Features of length 1 with the class that each shows. */
export interface Example {
  readonly features: Float32Array;
  readonly label: number;
}

/** The class whose mean points the same way. */
export function nearestCentroid(train: readonly Example[], classes: number): (image: Float32Array) => number {
  const means = Array.from({ length: classes }, (_, label) => {
    const own = train.filter((example) => example.label === label);
    const sum = new Float32Array(own[0]?.features.length ?? 0);
    for (const { features } of own)
      for (const [at, value] of features.entries()) sum[at] = (sum[at] ?? 0) + value;
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  });
  return (image) => {
    const cosines = means.map((mean) => dot(mean, image));
    return cosines.indexOf(Math.max(...cosines));
  };
}

/** The class of most of the `count` nearest; of equals, of the nearer ones. */
export function nearestNeighbours(
  train: readonly Example[],
  classes: number,
  count: number,
): (image: Float32Array) => number {
  return (image) => {
    const votes = new Array<number>(classes).fill(0);
    const nearest = train
      .map(({ features, label }) => ({ label, cosine: dot(features, image) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, count);
    for (const { label, cosine } of nearest) votes[label] = (votes[label] ?? 0) + 1 + cosine / 1000;
    return votes.indexOf(Math.max(...votes));
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
