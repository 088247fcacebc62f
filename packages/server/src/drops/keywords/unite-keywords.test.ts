import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanKeyword, keywordKey } from './keyword-text.js';
import { missingFrom, planAdditions, uniteKeywords } from './unite-keywords.js';

const long = 'A keyword that another program wrote and that has far more than sixty-four bytes';

describe('keywords in two places', () => {
  test('are one list: those of IPTC first, none twice', () => {
    expect(uniteKeywords({ iptc: ['Harbour', 'night'], xmp: ['NIGHT', 'quay', 'quay '] })).toEqual([
      'Harbour',
      'night',
      'quay',
    ]);
  });

  test('a keyword that IPTC holds cut at its 64th byte is the long one of XMP', () => {
    const stored = { iptc: [long.slice(0, 64), 'A'], xmp: [long] };
    expect(uniteKeywords(stored)).toEqual([long, 'A']);
    expect(planAdditions(stored, [long, 'boat'])).toEqual({
      added: ['boat'],
      toIptc: ['boat'],
      toXmp: ['A', 'boat'],
    });
  });

  test('are left as they are while there is nothing to add', () => {
    expect(planAdditions({ iptc: ['a'], xmp: ['b'] }, ['A', 'B'])).toEqual({
      added: [],
      toIptc: [],
      toXmp: [],
    });
  });

  test('after what is planned both hold all, and planning again adds nothing', () => {
    const list = fc.array(
      fc.oneof(fc.constantFrom('a', 'A', 'b', long, long.slice(0, 64)), fc.string({ unit: 'binary' })),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(list, list, list, (iptc, xmp, wanted) => {
        const plan = planAdditions({ iptc, xmp }, wanted.map(cleanKeyword));
        const after = { iptc: [...iptc, ...plan.toIptc], xmp: [...xmp, ...plan.toXmp] };
        expect(planAdditions(after, wanted.map(cleanKeyword)).added).toEqual([]);
        if (plan.added.length === 0) return;
        const all = uniteKeywords(after);
        expect(missingFrom(after.iptc, all)).toEqual([]);
        expect(missingFrom(after.xmp, all)).toEqual([]);
        expect(new Set(all.map(keywordKey)).size).toBe(all.length);
      }),
    );
  });
});
