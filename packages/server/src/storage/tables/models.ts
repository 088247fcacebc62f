import type { Generated } from 'kysely';

/** A customer's model. */
export interface ModelTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  description: string;
  task: 'classification' | 'object_detection';
  /** What it was trained on last. */
  dataset_id: number | null;
  /** The number of the version in use; null before there is one. */
  version: number | null;
  last_version: Generated<number>;
  created_at: number;
  deleted_at: number | null;
}

/** Its files are in a folder named by its UID, and never change. */
export interface ModelVersionTable {
  account_id: number;
  model_id: number;
  number: number;
  uid: string;
  origin: 'training' | 'upload';
  bytes: number;
  labels: string;
  report: string | null;
  job_id: string | null;
  created_at: number;
  /** 1 where an object gets one label only; the one setting that can be changed. */
  one_label: Generated<number>;
}
