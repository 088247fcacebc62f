import type { Generated } from 'kysely';

/** Work that outlives requests and restarts; see `jobs/`. */
export interface JobTable {
  id: string;
  account_id: number;
  kind: string;
  /** What it works on, such as a perception's id; one unfinished job of a kind may be on it. */
  subject: string;
  payload: string;
  /** Of the shape of the payload, by its kind: a service that knows only older ones leaves the job. */
  payload_version: Generated<number>;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Since it last got on. */
  attempts: Generated<number>;
  due_at: number;
  lease_owner: Generated<string | null>;
  /** Until then nobody else takes it. */
  leased_until: Generated<number | null>;
  /** Greater with each taking: what an earlier taker writes is refused. */
  lease_epoch: Generated<number>;
  /** The data folder whose service alone takes it, since it has the files; null: any service does. */
  folder_uid: Generated<string | null>;
  cancel_asked: Generated<number>;
  stage: Generated<string | null>;
  done: Generated<number>;
  total: Generated<number | null>;
  /** Of the stage. */
  seconds_left: Generated<number | null>;
  result: Generated<string | null>;
  /** For its owner to read. */
  error: Generated<string | null>;
  created_at: number;
  started_at: Generated<number | null>;
  ended_at: Generated<number | null>;
}
