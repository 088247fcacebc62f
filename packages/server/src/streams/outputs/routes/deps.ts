import type { ApiDeps } from '../../../http/api/scope.js';
import type { StreamOutputs } from '../outputs.js';
import type { TestOutput } from '../test-output.js';

export interface OutputDeps extends ApiDeps {
  readonly streamOutputs: Omit<StreamOutputs, 'whole' | 'retryNow' | 'finishRemovals'>;
  readonly testStreamOutput: TestOutput;
}
