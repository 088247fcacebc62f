import { shippedModels } from './shipped-models.js';

/**
 * What a caller and an operator read of a built-in model that is gone, or is another one, while the service runs.
 * @param uid Of the built-in model.
 * @param part The catalogue model behind it that is missing.
 */
export function describeMissing(uid: string, part: string): string {
  if (shippedModels.some((model) => model.uid === uid)) {
    return `the model ${uid} is missing; the operator installs it again with: lynceus models install ${part}`;
  }
  return (
    `the model ${uid} was removed or replaced since the service started; the operator adds it again with: ` +
    `lynceus models add FILE --id ${uid}, or restarts the service to use the one that has this id now`
  );
}
