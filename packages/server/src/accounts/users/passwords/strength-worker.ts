import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common';
import { dictionary as englishWords, translations } from '@zxcvbn-ts/language-en';
import type { PasswordStrength, StrengthRequest } from './password-strength.js';

/** The thread that scores passwords: loading the dictionaries takes half a second, a score up to some hundred ms. */
if (parentPort === null) throw new Error('This file is the entry of a worker thread.');
const port = parentPort;
const scorer = new ZxcvbnFactory({
  translations,
  graphs: adjacencyGraphs,
  dictionary: { ...commonWords, ...englishWords },
  // Its time grows with the number of these.
  l33tMaxSubstitutions: 20,
});

port.on('message', ({ id, password, own }: StrengthRequest & { readonly id: number }) => {
  const { score, feedback } = scorer.check(password, [...own]);
  const strength: PasswordStrength = {
    score,
    warning: feedback.warning,
    suggestions: feedback.suggestions,
  };
  port.postMessage({ id, strength });
});
port.postMessage('ready');
