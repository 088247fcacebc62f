import { readFileSync } from 'node:fs';

/** Random input and random moments: a failure that does not come back is a defect that was found once. */
const random = /fast-check|(^|\/)(fuzz|hostile)\/|crash|(^|\/)load\./;

/**
 * Prints why a test failed when it fails: the full run takes half an hour, and one that is cut short has no end to print
 * it at. Lists at the end what passed at its second attempt only, and fails the run where that one had other input.
 */
export default class FailuresAtOnce {
  #unsteady = [];

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    if (state === 'failed') print(`FAILED ${name}`, errors);
    if (state !== 'passed' || !test.diagnostic()?.flaky) return;
    const failed = isRandom(test.module);
    print(`${failed ? 'FAILED once' : 'PASSED at the second attempt'} ${name}`, errors);
    this.#unsteady.push(name);
    if (failed) process.exitCode = 1;
  }

  onTestSuiteResult(suite) {
    if (suite.errors().length > 0)
      print(`FAILED ${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) print(`FAILED ${module.relativeModuleId}`, module.errors());
  }

  onTestRunEnd() {
    if (this.#unsteady.length > 0) print('second attempts, to be looked into:', [], this.#unsteady);
  }
}

function isRandom({ moduleId, relativeModuleId }) {
  return random.test(relativeModuleId) || random.test(readFileSync(moduleId, 'utf8'));
}

function print(title, errors = [], more = []) {
  const lines = errors.flatMap(({ message, diff, stack }) => [message, diff, stack]);
  process.stdout.write(['', title, ...lines.filter(Boolean), ...more, '', ''].join('\n'));
}
