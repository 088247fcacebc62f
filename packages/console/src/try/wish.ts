import type { PredictType, RecognitionPart } from '@lynceus/client';

/** What is asked of a picture. */
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
