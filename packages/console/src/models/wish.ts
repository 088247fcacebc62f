import type { CustomModel, PredictType, RecognitionPart } from '@lynceus/client';

/** The model and options of a call. */
export type Wish =
  | {
      readonly kind: 'general';
      readonly parts: readonly RecognitionPart[];
      readonly predictType: PredictType;
    }
  | { readonly kind: 'detect'; readonly modelId: string; readonly confThresh: number }
  | { readonly kind: 'classify'; readonly modelId: string };

export const allParts: readonly RecognitionPart[] = ['classes', 'objects', 'texts', 'faces'];
export const firstWish: Wish = { kind: 'general', parts: allParts, predictType: 'dense' };

type Task = CustomModel['task'];

const usualConfThresh = 0.4;

export function wishOf(task: Task, modelId: string): Wish {
  return task === 'classification'
    ? { kind: 'classify', modelId }
    : { kind: 'detect', modelId, confThresh: usualConfThresh };
}

/** Where a model is tried. */
export function tryAddress({ task, uid }: Pick<CustomModel, 'task' | 'uid'>): string {
  return `/?${new URLSearchParams({ task, model: uid })}`;
}

/** What the page was opened to ask. */
export function wishOfAddress(params: URLSearchParams): Wish {
  const model = params.get('model');
  const task = (['object_detection', 'classification'] as const).find((one) => one === params.get('task'));
  return model && task ? wishOf(task, model) : firstWish;
}
