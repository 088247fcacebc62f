/**
 * How likely a difference at least this large is by chance when two models are equally good (McNemar's exact test, 1947):
 * of the images that one alone has right, each is as likely the one's as the other's.
 */
export function signTest(first: number, second: number): number {
  const discordant = first + second;
  if (discordant === 0) return 1;
  const fewer = Math.min(first, second);
  let tail = 0;
  let logTerm = -discordant * Math.LN2;
  for (let hits = 0; hits <= fewer; hits += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(discordant - hits) - Math.log(hits + 1);
  }
  return Math.min(1, 2 * tail);
}
