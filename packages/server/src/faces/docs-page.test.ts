import { readFileSync } from 'node:fs';
import { faceChains } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { enrolmentProblems } from './perception.js';

const page = readFileSync(new URL('../../../../docs/faces.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

test('docs/faces.md explains every problem of an image, and no other', () => {
  const [, section = ''] = /## What is wrong with an image(.*?)## /.exec(page) ?? [];
  const rows = [...section.matchAll(/\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|/g)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(rows.filter((name) => name !== 'problem').sort()).toEqual([...enrolmentProblems].sort());
});

test('docs/faces.md tells the curves that the chains have', () => {
  const { accurate, permissive } = faceChains;
  const short = (value: number) => String(value).replace(/^0/, '');
  expect(page).toContain(
    `\`accurate\` has the midpoint ${short(accurate.decisionCosine)} and the slope ${accurate.cosineSlope}, ` +
      `\`permissive\` ${short(permissive.decisionCosine)} and ${permissive.cosineSlope}.`,
  );
  expect(page).toContain(
    `(\`accurate\` ${Math.round(accurate.falseMatch.rate * 10_000)} in 10,000), a tenth of that for every ${short(accurate.falseMatch.perTenfold)} of cosine`,
  );
});
