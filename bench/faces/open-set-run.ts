import { type FaceChainName, faceChains } from '@lynceus/engine';
import { startEngine } from '../engine.js';
import { formatTable } from '../table.js';
import { fitCurves } from './curve.js';
import { measureOpenSet } from './open-set.js';
import { readPeople } from './people.js';

/** Who is known and who stays a stranger, and the curve from cosines to similarities behind it, for each chain. */
export async function runOpenSet({ data, splits }: { readonly data: string; readonly splits: number }) {
  if (!(Number.isInteger(splits) && splits > 0)) throw new Error('--splits must be a whole number above 0');
  const engine = await startEngine();
  try {
    const portraits = await readPeople(data);
    for (const chain of Object.keys(faceChains) as FaceChainName[]) {
      const { divisions, rounds, rows } = await measureOpenSet(engine, chain, { data, portraits, splits });
      const heading = [`${chain}: ${divisions} divisions, ${rounds} rounds`, 'rate', '95 %', 'searches'];
      console.log(`\n${formatTable([heading, ...rows])}`);
      const curves = await fitCurves(engine, chain, data, portraits);
      const columns = ['pairs', 'genuine / impostor', 'slope', 'FMR counted', 'FMR of tail', 'per tenfold'];
      console.log(`\n${formatTable([columns, ...curves])}`);
    }
  } finally {
    await engine.close();
  }
}
