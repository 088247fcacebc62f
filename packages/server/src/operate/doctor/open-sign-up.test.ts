import { expect, test } from 'vitest';
import { examineOpenSignUp } from './open-sign-up.js';

const settings = {
  openSignUp: true,
  streamAllowedNetworks: '',
  streamMaxPerAccount: 24,
  streamMaxPerReplica: 32,
};
const texts = (change: Partial<typeof settings>) =>
  examineOpenSignUp({ ...settings, ...change }).map(({ state, text }) => `${state}: ${text}`);

test('says what strangers may reach by streams and videos, where they may sign up', () => {
  expect(texts({ openSignUp: false })).toEqual([]);
  expect(texts({})).toEqual([expect.stringMatching(/^notice: .*private networks are refused/)]);
  expect(texts({ streamAllowedNetworks: '10.0.0.0/8' })).toEqual([
    expect.stringMatching(/^notice: whoever signs up may open addresses in 10\.0\.0\.0\/8/),
  ]);
});

test('says that one account may take every place for streams', () => {
  expect(texts({ streamMaxPerAccount: 32 })[1]).toMatch(
    /streamMaxPerAccount is 32, streamMaxPerReplica is 32/,
  );
  expect(texts({ streamMaxPerAccount: 0 })[1]).toMatch(/streamMaxPerAccount has no limit/);
});
