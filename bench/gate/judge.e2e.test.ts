import { expect, test } from 'vitest';
import type { Known } from './baseline.js';
import { cpuClassOf } from './cpu-class.js';
import { boundsOf, judge, median, summarise } from './judge.js';
import { reportVerdict } from './report.js';

const known: Known = { median: 0.8, spread: 0.01, runs: 3, date: '2026-01-31' };

const verdictOf = (now: number, baseline: Known = known) =>
  judge(new Map([['v2', now]]), { v2: baseline })[0]?.verdict;

test('a ratio within five per cent of its median is within the bounds', () => {
  expect(verdictOf(0.8)).toBe('within');
  expect(verdictOf(0.77)).toBe('within');
  expect(verdictOf(0.83)).toBe('within');
});

test('a smaller ratio is worse, a larger one better', () => {
  expect(verdictOf(0.75)).toBe('worse');
  expect(verdictOf(0.85)).toBe('better');
});

test('bounds of a ratio that varied are twice as wide as what was seen', () => {
  const wide = { ...known, spread: 0.1 };
  expect(boundsOf(wide).low).toBeCloseTo(0.64);
  expect(boundsOf(wide).high).toBeCloseTo(0.96);
  expect(verdictOf(0.65, wide)).toBe('within');
  expect(verdictOf(0.63, wide)).toBe('worse');
});

test('bounds of a baseline of one or two runs are wider', () => {
  const few = { ...known, runs: 2 };
  expect(verdictOf(0.7, few)).toBe('within');
  expect(verdictOf(0.67, few)).toBe('worse');
});

test('a ratio that is no number is worse', () => {
  expect(verdictOf(Number.NaN)).toBe('worse');
});

test('what was not measured, or has no baseline, is reported as that', () => {
  expect(judge(new Map([['new', 1]]), { old: known })).toEqual([
    { name: 'new', now: 1, known: undefined, verdict: 'no baseline' },
    { name: 'old', now: undefined, known, verdict: 'not measured' },
  ]);
  expect(judge(new Map([['new', 1]]), undefined)[0]?.verdict).toBe('no baseline');
});

test('a baseline has the median of the runs, and how far a run was from it', () => {
  const runs = [new Map([['v2', 0.8]]), new Map([['v2', 0.9]]), new Map([['v2', 0.84]])];
  expect(summarise(runs, '2026-01-31')).toEqual({
    v2: { median: 0.84, spread: 0.0714, runs: 3, date: '2026-01-31' },
  });
  expect(median([1, 2, 3, 4])).toBe(2.5);
});

test('a ratio that some runs lack is summarised by the others', () => {
  const runs = [new Map([['v2', 0.8]]), new Map<string, number>()];
  expect(summarise(runs, '2026-01-31')['v2']).toMatchObject({ median: 0.8, spread: 0, runs: 1 });
});

test('the gate fails with the names of what is worse, after the whole table', () => {
  const printed: string[] = [];
  const report = (now: number) =>
    reportVerdict('avx2', new Map([['v2', now]]), { v2: known }, (text) => printed.push(text));
  expect(() => report(0.7)).toThrow('worse than the baseline: v2');
  expect(printed.join()).toMatch(/v2 +\| 0\.700 \| 0\.800 +\| 0\.760 to 0\.840 \| worse/);
  expect(() => report(0.8)).not.toThrow();
});

test('a class without a baseline is reported, and is no failure', () => {
  const printed: string[] = [];
  reportVerdict('avx2', new Map([['v2', 0.1]]), undefined, (text) => printed.push(text));
  expect(printed.join()).toContain('The class avx2 has no baseline yet');
});

test('the CPU class comes from the flags of the first core, and its maker', () => {
  const cpuinfo = (flags: string) => `processor\t: 0\nmodel name\t: avx512_vnni\nflags\t\t: ${flags}\n`;
  expect(cpuClassOf(cpuinfo('fpu sse2 avx2'))).toBe('avx2');
  expect(cpuClassOf(cpuinfo('avx2 avx512f avx512bw'))).toBe('avx512');
  expect(cpuClassOf(cpuinfo('avx2 avx512f avx512_vnni'))).toBe('avx512-vnni');
  const made = (maker: string) => cpuClassOf(`vendor_id\t: ${maker}\n${cpuinfo('avx2 avx512f avx512_vnni')}`);
  expect(made('GenuineIntel')).toBe('avx512-vnni-intel');
  expect(made('AuthenticAMD')).toBe('avx512-vnni-amd');
  expect(made('Unknown')).toBe('avx512-vnni');
  expect(cpuClassOf(cpuinfo('sse2'))).toBe('other');
  expect(cpuClassOf('')).toBe('other');
});
