/** Jobs whose subject is the number of a model. They go with it. */
export const trainModelKind = 'train-model';
export const compareVersionsKind = 'compare-versions';

export const modelJobKinds = [trainModelKind, compareVersionsKind] as const;
