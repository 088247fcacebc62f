import type { CustomModel, PredictType, RecognitionPart } from '@lynceus/client';

/** The model and options of a call. */
export type PredictCall =
  | {
      readonly kind: 'general';
      readonly parts: readonly RecognitionPart[];
      readonly predictType: PredictType;
    }
  | { readonly kind: 'detect'; readonly modelId: string; readonly confThresh: number }
  | { readonly kind: 'classify'; readonly modelId: string };

export const allParts: readonly RecognitionPart[] = ['classes', 'objects', 'texts', 'faces'];
export const defaultCall: PredictCall = { kind: 'general', parts: allParts, predictType: 'dense' };

type Task = CustomModel['task'];

const usualConfThresh = 0.4;

export function callOf(task: Task, modelId: string): PredictCall {
  return task === 'classification'
    ? { kind: 'classify', modelId }
    : { kind: 'detect', modelId, confThresh: usualConfThresh };
}

/** The address that tries a model. */
export function tryAddress({ task, uid }: Pick<CustomModel, 'task' | 'uid'>): string {
  return `/?${new URLSearchParams({ task, model: uid })}`;
}

/** The call that the address asks for. */
export function callOfAddress(params: URLSearchParams): PredictCall {
  const model = params.get('model');
  const task = (['object_detection', 'classification'] as const).find((one) => one === params.get('task'));
  return model && task ? callOf(task, model) : defaultCall;
}
