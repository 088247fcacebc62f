import { readFileSync } from 'node:fs';

/** Random input and random moments: a failure that does not come back is a defect that was found once. */
const random = /fast-check|(^|\/)(fuzz|hostile)\/|crash|(^|\/)load\./;

/**
 * Prints why a test failed when it fails: the full run takes half an hour, and one that is cut short has no end to print
 * it at. Lists at the end what failed, for who sees the end of the output alone, and what passed at its second attempt
 * only; fails the run where that one had other input.
 */
export default class FailuresAtOnce {
  #failed = [];
  #unsteady = [];

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    if (state === 'failed') this.#fail(name, errors);
    if (state !== 'passed' || !test.diagnostic()?.flaky) return;
    const failed = isRandom(test.module);
    print(`${failed ? 'FAILED once' : 'PASSED at the second attempt'} ${name}`, errors);
    this.#unsteady.push(name);
    if (failed) process.exitCode = 1;
  }

  onTestSuiteResult(suite) {
    if (suite.errors().length > 0)
      this.#fail(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) this.#fail(module.relativeModuleId, module.errors());
  }

  onTestRunEnd() {
    if (this.#unsteady.length > 0) print('second attempts, to be looked into:', [], this.#unsteady);
    if (this.#failed.length > 0) print('failed:', [], this.#failed);
  }

  #fail(name, errors) {
    print(`FAILED ${name}`, errors);
    const [reason = ''] = (errors[0]?.message ?? '').split('\n');
    this.#failed.push(`${name}: ${reason.slice(0, 200)}`);
  }
}

function isRandom({ moduleId, relativeModuleId }) {
  return random.test(relativeModuleId) || random.test(readFileSync(moduleId, 'utf8'));
}

function print(title, errors = [], more = []) {
  const lines = errors.flatMap(({ message, diff, stack }) => [message, diff, stack]);
  process.stdout.write(['', title, ...lines.filter(Boolean), ...more, '', ''].join('\n'));
}
