/** The catalogue models that read text together. */
export const textModels = {
  detector: 'ppocr-v4-det',
  recogniser: 'ppocr-v4-rec',
  angle: 'ppocr-v2-angle',
} as const;
