import type { Member } from './users.js';

/** An account of the service, as its administrators see it. */
export interface AdminAccount {
  readonly id: number;
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  /** `limit` and `left` are null where there is no limit. */
  readonly calls: { readonly limit: number | null; readonly used: number; readonly left: number | null };
  readonly result_days: number;
  readonly keys: number;
  readonly users: number;
  readonly created_at: string;
  /** Null unless the account is closed and about to be deleted. */
  readonly deletion: { readonly due_at: string; readonly has_begun: boolean } | null;
}

/** The deletion of an account; once it is done, its receipt. */
export interface AccountDeletion {
  readonly account_id: number;
  readonly state: 'scheduled' | 'running' | 'done';
  readonly asked_by: { readonly kind: 'user' | 'operator'; readonly id: number | null };
  readonly asked_at: string;
  /** It does not begin before, and can be cancelled until it begins. */
  readonly due_at: string;
  readonly begun_at: string | null;
  readonly ended_at: string | null;
  /** Why it does not get on. */
  readonly waits_for: string | null;
  /** Deleted from the database, by table. */
  readonly rows: readonly { readonly kind: string; readonly items: number; readonly bytes: number }[];
  readonly files: readonly {
    readonly folder: string;
    readonly kind: string;
    readonly items: number;
    readonly bytes: number;
  }[];
  /** Data folders whose services have not reported yet. */
  readonly folders_left: readonly string[];
}

export interface AdminUser extends Member {
  readonly account: { readonly id: number; readonly name: string };
}

export interface ResetLink {
  /** Shown here and never again. */
  readonly link: string;
  readonly expires_at: string | null;
}

/** How the service is. */
export interface ServiceState {
  readonly version: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly is_ready: boolean;
  readonly components: readonly {
    readonly name: string;
    readonly is_ready: boolean;
    readonly reason: string | null;
    /** What to look at, though it is ready. */
    readonly notices: readonly string[];
  }[];
  readonly inference: {
    readonly queued: number;
    readonly crashed: number;
    readonly recycled: number;
    readonly outgrown: number;
    readonly timeouts: number;
    /** How graphs with 8-bit weights are run on this CPU; null until a process is ready. */
    readonly int8: 'native' | 'unsigned-weights' | 'inexact' | null;
    readonly processes: readonly {
      readonly pid: number | null;
      readonly state: 'starting' | 'idle' | 'busy';
      readonly memory_bytes: number;
      readonly jobs_done: number;
      readonly models: number;
    }[];
  };
  readonly database: { readonly kind: 'sqlite' | 'postgresql'; readonly bytes: number | null };
  readonly disk: { readonly free_bytes: number; readonly bytes: number } | null;
  readonly jobs: { readonly waiting: number; readonly running: number };
}

/** Files that rows of the database name. */
export type SweptStoreName = 'images' | 'faces' | 'datasets' | 'imports' | 'models' | 'drops';

/** How the sweeps are: what deletes data whose time is over, and files that no row names. */
export interface SweepReport {
  /** Nothing is moved or deleted until then. */
  readonly suspended: { readonly until: string; readonly reason: string } | null;
  readonly quarantine_days: number;
  readonly stores: readonly {
    readonly store: SweptStoreName;
    readonly quarantined: number;
    /** The sweep found too much and waits for a confirmation. */
    readonly blocked: {
      readonly orphans: number;
      readonly items: number;
      readonly since: string;
      readonly is_confirmed: boolean;
    } | null;
  }[];
  readonly sweeps: readonly {
    readonly name: string;
    /** Null before the first run since the start. */
    readonly outcome: 'done' | 'failed' | 'blocked' | 'suspended' | null;
    readonly ran_at: string | null;
  }[];
}

/** A model that comes with the service: what is known of it, and what is not. */
export interface BuiltInModel {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly task: string;
  readonly licence: { readonly stated: string; readonly by: string };
  readonly provenance: { readonly known: readonly string[]; readonly unknown: readonly string[] };
  readonly measured: readonly { readonly figure: string; readonly value: string; readonly how: string }[];
  readonly is_installed: boolean;
  /** What v1 and v2 name it by, where they can. */
  readonly predicts_as: readonly {
    readonly model_id: number;
    readonly uid: string;
    readonly name: string;
    readonly task: 'object_detection' | 'classification';
  }[];
}

export interface CatalogueModel extends BuiltInModel {
  readonly bytes: number;
  readonly installed_version: string | null;
  readonly is_default: boolean;
  readonly origin: 'shipped' | 'own';
}

export interface SettingInForce {
  readonly name: string;
  readonly variable: string;
  /** Secrets and passwords masked. */
  readonly value: unknown;
  readonly default: unknown;
  /** `default`, the name of a variable, or the path of a file. */
  readonly source: string;
  readonly description: string;
}
