/** Prints why a test failed when it fails: the full run takes half an hour, and one that is cut short has no end to print it at. */
export default class FailuresAtOnce {
  onTestCaseResult(test) {
    const { state, errors } = test.result();
    if (state === 'failed') print(`${test.module.relativeModuleId} > ${test.fullName}`, errors);
  }

  onTestSuiteResult(suite) {
    if (suite.errors().length > 0)
      print(`${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) print(module.relativeModuleId, module.errors());
  }
}

function print(name, errors = []) {
  const lines = errors.flatMap(({ message, diff, stack }) => [message, diff, stack]);
  process.stdout.write(['', `FAILED ${name}`, ...lines.filter(Boolean), '', ''].join('\n'));
}
