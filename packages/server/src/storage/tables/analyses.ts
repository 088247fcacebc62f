import type { ImageKind } from '@lynceus/engine';

export interface AnalysisTable {
  fileid: string;
  account_id: number;
  key_id: number;
  operation: string;
  created_at: number;
  expires_at: number;
  /** The domain result, models with versions, calibration, thresholds and timings, as JSON. */
  record: string;
  /** What was found and by which models, in a few words; null for one of before these were kept. */
  summary: string | null;
  /** The summary in small letters: the two databases' own ideas of those differ. */
  search_text: string | null;
  /** Of the image kept beside it; null where none is. */
  image_bytes: number | null;
  image_kind: ImageKind | null;
}
