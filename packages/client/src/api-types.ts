// The schemas that the service's OpenAPI document names. Written by npm run bench -- client-types; do not edit.

/** in pixels of the image as it is meant to be seen */
export interface Box {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** Labelled boxes of one model */
export interface Detection {
  /** best first */
  readonly predictions: readonly {
    readonly class_title: string;
    /** 0 to 1 */
    readonly score: number;
    readonly model_id: string;
    readonly model_title: string;
    readonly coordinates: Box;
  }[];
  readonly model_type: 'object_detection' | 'classification';
  readonly status: 1;
  readonly status_description: string;
}

/** which error it is; never changes */
export type ServiceErrorCode =
  | 'wrong_parameters'
  | 'invalid_model'
  | 'no_file'
  | 'invalid_image_text'
  | 'bad_request'
  | 'invalid_api_key'
  | 'wrong_sign_in'
  | 'code_needed'
  | 'not_signed_in'
  | 'csrf'
  | 'weak_password'
  | 'no_such_link'
  | 'trial_limit'
  | 'not_allowed'
  | 'key_limit'
  | 'too_many_requests'
  | 'file_too_large'
  | 'unsupported_image'
  | 'unsupported_video'
  | 'model_refused'
  | 'address_not_allowed'
  | 'address_not_reachable'
  | 'service_busy'
  | 'model_too_large'
  | 'model_missing'
  | 'internal_error'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'labels_changed'
  | 'range_not_satisfiable'
  | 'account_full'
  | 'no_space'
  | 'request_timeout';

export interface RankedClass {
  readonly class_title: string;
  /** a whole number from 1, as text */
  readonly order: string;
  /** the object that the class describes */
  readonly parent_object?: string;
  /** 0 to 1 */
  readonly score: number;
}

export interface TextLine {
  readonly text_value: string;
  /** X1,X2,Y1,Y2 in pixels */
  readonly coordinates: string;
  /** 0 to 1 */
  readonly score: number;
  /** four corners, each x and y in pixels, clockwise from the upper left as one reads */
  readonly polygon: readonly (readonly number[])[];
}

export interface Texts {
  readonly status: string;
  readonly predictions: readonly TextLine[];
  readonly summary: readonly {
    readonly text_value: string;
    /** a whole number, as text */
    readonly count: string;
  }[];
}

export interface SubPrediction {
  readonly class_title: string;
  readonly order: number;
  readonly parent_object: string;
  /** 0 to 1 */
  readonly score: number;
}

export interface RecognisedObject {
  readonly sub_predictions: readonly SubPrediction[];
  readonly object_title: string;
  /** X1,X2,Y1,Y2 in pixels */
  readonly coordinates: string;
  /** 0 to 1 */
  readonly score: number;
}

export interface Objects {
  readonly predictions: readonly RecognisedObject[];
  readonly summary: readonly {
    /** a whole number, as text */
    readonly count: string;
    readonly object_title: string;
  }[];
}

export interface Faces {
  readonly face_count: number;
  readonly predictions: readonly {
    readonly face_name: string;
    /** X1,X2,Y1,Y2 in pixels */
    readonly coordinates: string;
  }[];
}

export type PredictType = 'dense' | 'basic';

/** What general recognition finds */
export interface Recognition {
  readonly status: 'ok';
  /** the address of the image, when it was given as one */
  readonly url?: string;
  /** classes and titles of objects of the whole image, the most relevant first */
  readonly predictions: readonly RankedClass[];
  readonly texts: Texts;
  readonly objects: Objects;
  readonly faces: Faces;
  readonly predicttype: PredictType;
  /** for GET /api/files/{fileid} */
  readonly fileid: string;
  readonly predict_type: PredictType;
}

/** The classes of one classifier, with model_id */
export interface CustomRecognition {
  readonly status: 'ok';
  /** a whole number, as text */
  readonly model_id: string;
  /** the address of the image, when it was given as one */
  readonly url?: string;
  readonly predictions: readonly {
    readonly class_title: string;
    readonly order: number;
    /** 0 to 1 */
    readonly score: number;
  }[];
  readonly prediction_type: 'image';
  readonly predict_type: 'image';
}

/** Labelled boxes of one detector */
export interface ObjectDetection {
  readonly status: 'ok';
  readonly prediction_type: 'object_detection';
  readonly predictions: readonly {
    readonly class_title: string;
    readonly model_id: number;
    /** 0 to 1 */
    readonly score: number;
    readonly coordinates: Box;
  }[];
}

export interface MatchedFace {
  readonly person_name: string;
  /** 0 to 1 */
  readonly similarity: number;
  /** X1,X2,Y1,Y2 in pixels */
  readonly coordinates: string;
  /** Format: uri */
  readonly image_url: string;
  readonly person_id: number;
  readonly key_id: string | null;
}

export interface SearchedFace {
  /** unknown when nobody matches */
  readonly person_name: string;
  /** 0 to 1 */
  readonly similarity: number;
  readonly face_live: boolean | null;
  /** X1,X2,Y1,Y2 in pixels */
  readonly coordinates: string;
  /** -1 when nobody matches */
  readonly person_id: number;
  readonly key_id: string | null;
  readonly face_live_status_description: string | null;
}

export interface SimilarFace {
  readonly person_name: string;
  /** 0 to 1 */
  readonly similarity: number;
  /** X1,X2,Y1,Y2 in pixels */
  readonly coordinates: string;
  /** Format: uri */
  readonly image_url: string;
  readonly person_id: number;
  readonly key_id: string | null;
  /** the rank, from 1 */
  readonly order: number;
}

/** The faces of the image, and whose they are */
export interface FaceSearch {
  readonly status: 'ok';
  /** as asked; -1: no filter */
  readonly person_id_filter: number;
  /** the faces that match a person */
  readonly faces_detected: readonly MatchedFace[];
  readonly face_recog_hit: boolean;
  readonly face_count: number;
  readonly post_type: 'face_search';
  /** all faces of the image, matched or not */
  readonly faces: readonly SearchedFace[];
  /** candidates over all faces, best first, one a person; coordinates are in the stored image */
  readonly similar_faces: readonly SimilarFace[];
}

/** The result of create_person */
export interface CreatedPerson {
  /** above 0: the id of the new person or image; else a code from the table of the command */
  readonly status: number;
  readonly status_description: string;
  readonly post_type: 'create_person';
  /** the new person, or -1 when there is none */
  readonly person_id: number;
}

/** The result of inserting an image */
export interface InsertedImage {
  /** above 0: the id of the new person or image; else a code from the table of the command */
  readonly status: number;
  readonly status_description: string;
  readonly post_type: 'insert_person_image';
}

/** What a page must know before anybody is signed in */
export interface SignInState {
  /** whether anybody may make an account */
  readonly open_sign_up: boolean;
  /** false: the link that the service printed is the way in */
  readonly has_users: boolean;
}

/** An error, as RFC 9457 has it. `code` distinguishes errors. */
export interface Problem {
  readonly type: 'about:blank';
  /** the name of the HTTP status */
  readonly title: string;
  /** the HTTP status */
  readonly status: number;
  /** what to fix, in words that may change */
  readonly detail: string;
  readonly code: ServiceErrorCode;
  /** under which the log of the service knows the request */
  readonly request_id: string;
  /** of `labels_changed`: the image with the labels that it has now */
  readonly current?: Record<string, unknown>;
}

/** owner, member or reader */
export type Role = 'owner' | 'member' | 'reader';

/** Who is signed in */
export interface Session {
  readonly user: {
    readonly id: number;
    readonly email: string;
    readonly name: string;
    readonly role: Role;
    readonly is_administrator: boolean;
    /** whether signing in wants a code of an authenticator too */
    readonly has_totp: boolean;
  };
  readonly account: {
    readonly id: number;
    readonly name: string;
    readonly plan: 'paid' | 'trial';
  };
  /** for the header X-CSRF-Token of every request that changes something */
  readonly csrf_token: string;
  /** Format: date-time */
  readonly created_at: string;
  /**
   * Format: date-time
   * unless it is used before
   */
  readonly expires_at: string;
  /** null: none */
  readonly wrong_codes: {
    readonly count: number;
    /** Format: date-time */
    readonly last_at: string;
  } | null;
}

/** What a link is for */
export interface Link {
  /** for the first administrator, for a new user of an account, for another password */
  readonly kind: 'first' | 'invitation' | 'reset';
  readonly account: string | null;
  /** null: whoever uses it says which */
  readonly email: string | null;
  readonly role: Role | null;
  readonly expires_at: string | null;
  /** whether using it asks for a code of the second factor too */
  readonly needs_code: boolean;
}

/** How hard a password is to guess */
export interface PasswordRating {
  /** from 3 on it is taken */
  readonly score: number;
  readonly warning: string | null;
  readonly suggestions: readonly string[];
}

/** A key for the predict paths */
export interface PageKey {
  /** the key itself: shown here and never again */
  readonly key: string;
  /** Format: date-time */
  readonly expires_at: string;
}

export interface ListedSession {
  readonly id: number;
  /** Format: date-time */
  readonly created_at: string;
  /**
   * Format: date-time
   * to within some minutes
   */
  readonly last_used_at: string;
  readonly address: string;
  /** as the browser sends it, shortened */
  readonly user_agent: string;
  /** whether it is the session of this request */
  readonly is_current: boolean;
}

/** A second factor that is not in force yet */
export interface TotpSecret {
  /** in base 32: shown here and never again */
  readonly secret: string;
  /** the same for a square that authenticators read */
  readonly uri: string;
}

/** The recovery codes in force */
export interface RecoveryCodes {
  /** each good once in the place of the authenticator: shown here and never again */
  readonly recovery_codes: readonly string[];
}

/** A user of the account */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** whether they look after the whole service */
  readonly is_administrator: boolean;
  readonly has_totp: boolean;
  /** Format: date-time */
  readonly created_at: string;
  readonly signed_in_at: string | null;
}

export interface NamedKey {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
}

/** What became of the keys, invitations and links that they created */
export interface AccessReceipt {
  readonly keys: {
    readonly revoked: readonly NamedKey[];
    readonly kept: readonly NamedKey[];
  };
  readonly drop_keys: {
    readonly revoked: readonly NamedKey[];
    readonly kept: readonly NamedKey[];
  };
  readonly unknown_keys: {
    readonly revoked: readonly NamedKey[];
    readonly kept: readonly NamedKey[];
  };
  readonly invitations_withdrawn: number;
  /** by which others would have set another password */
  readonly links_withdrawn: number;
}

/** The member, and what became of the keys, invitations and links that they created */
export interface ChangedMember {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** whether they look after the whole service */
  readonly is_administrator: boolean;
  readonly has_totp: boolean;
  /** Format: date-time */
  readonly created_at: string;
  readonly signed_in_at: string | null;
  readonly receipt: AccessReceipt;
}

/** What a client of another service cannot say, so that its key says it */
export interface CompatSettings {
  /** deepstack (CodeProject.AI too), compreface or doods; frigate, for a listener, which reads events of streams */
  readonly protocol: 'deepstack' | 'compreface' | 'doods' | 'frigate';
  /** id of the perception whose people are named; null: none */
  readonly perception: string | null;
  /** id of the detector; null: the default one of the service */
  readonly model: string | null;
  /** ids of detectors by the names that clients ask for, such as ipcam-general */
  readonly models: {
    readonly [key: string]: string;
  };
  /** what classes are called for this client, by their titles here */
  readonly aliases: {
    readonly [key: string]: string;
  };
  /** a number from 0 to 1; a client may ask for more, not for less; null: as it asks */
  readonly min_confidence: number | null;
  /** a whole number from 1 to 1000; null: as many as the protocol has */
  readonly max_predictions: number | null;
}

/** A key that a user created and that is not revoked */
export interface MemberKey {
  readonly id: number;
  /**
   * how the key begins
   * @example lyn_4fQ0
   */
  readonly prefix: string;
  /** @example shop front */
  readonly name: string;
  /** Format: date-time */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** calls it may make in all, beside the limit of the account; null: no limit of its own */
  readonly call_limit: number | null;
  readonly calls_used: number;
  /** what it opens: everything of the account; one drop by FTP; or what a client of another service asks for */
  readonly scope: 'account' | 'drop' | 'compat';
  /** of a key of the scope compat */
  readonly compat: CompatSettings | null;
  /** who created it */
  readonly created_by: {
    /** operator: the command line; unknown: from before it was written down */
    readonly kind: 'user' | 'key' | 'operator' | 'unknown';
    /** the user, also of what one of their keys created; null where there is none */
    readonly user_id: number | null;
    /** the key, of what a key created */
    readonly key_id: number | null;
    /** the user's name, for owners of the account; null for who has left */
    readonly name: string | null;
  };
  /** whether it is the key of this request */
  readonly is_current: boolean;
  /** that it opens */
  readonly drop: {
    readonly id: number;
    readonly name: string;
  } | null;
}

/** The keys, the oldest first */
export interface MemberKeys {
  /** that the user created, themselves or by such a key */
  readonly data: readonly MemberKey[];
  /** keys of the account that end with no user: of unknown creators, from before these were written down, and of users who have left */
  readonly unknown: readonly MemberKey[];
}

/** An invitation that was not used yet */
export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  /** Format: date-time */
  readonly created_at: string;
  /** Format: date-time */
  readonly expires_at: string;
}

/** The new invitation */
export interface NewInvitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  /** Format: date-time */
  readonly created_at: string;
  /** Format: date-time */
  readonly expires_at: string;
  /** for whoever is invited: shown here and never again */
  readonly link: string;
}

/**
 * what was done; a newer service may know others
 * @example keys.create
 */
export type AuditAction =
  | 'session.create'
  | 'session.refuse'
  | 'sessions.end'
  | 'sessions.end_all'
  | 'user.change'
  | 'user.password'
  | 'links.reset'
  | 'totp.enable'
  | 'totp.disable'
  | 'totp.renew_recovery_codes'
  | 'totp.refuse'
  | 'members.join'
  | 'members.change'
  | 'members.remove'
  | 'invitations.create'
  | 'invitations.withdraw'
  | 'accounts.create'
  | 'accounts.change'
  | 'accounts.delete'
  | 'accounts.undelete'
  | 'compat_listeners.create'
  | 'compat_listeners.delete'
  | 'keys.create'
  | 'keys.change'
  | 'keys.revoke'
  | 'sweeps.confirm'
  | 'files.delete'
  | 'perceptions.create'
  | 'perceptions.change'
  | 'perceptions.delete'
  | 'perceptions.import'
  | 'perceptions.calibrate'
  | 'perceptions.change_embedder'
  | 'perceptions.cancel_embedder'
  | 'perceptions.forget_embedders'
  | 'people.create'
  | 'people.change'
  | 'people.delete'
  | 'people.merge'
  | 'face_images.create'
  | 'face_images.re_embed'
  | 'face_images.delete'
  | 'face_images.move'
  | 'corrections.create'
  | 'corrections.delete'
  | 'datasets.create'
  | 'datasets.change'
  | 'datasets.delete'
  | 'datasets.split'
  | 'datasets.import'
  | 'classes.create'
  | 'classes.change'
  | 'classes.merge'
  | 'classes.delete'
  | 'dataset_images.create'
  | 'dataset_images.label'
  | 'dataset_images.delete'
  | 'models.create'
  | 'models.change'
  | 'models.delete'
  | 'models.switch'
  | 'models.train'
  | 'models.compare'
  | 'versions.create'
  | 'versions.change'
  | 'versions.delete'
  | 'drops.create'
  | 'drops.change'
  | 'drops.delete'
  | 'drops.renew_key'
  | 'drops.test'
  | 'drops.retry'
  | 'drop_files.retry'
  | 'drop_files.delete'
  | 'streams.create'
  | 'streams.change'
  | 'streams.test'
  | 'streams.delete'
  | 'stream_tracks.delete'
  | 'stream_tracks.not_person'
  | 'stream_outputs.create'
  | 'stream_outputs.change'
  | 'stream_outputs.delete'
  | 'stream_outputs.test'
  | 'videos.create'
  | 'videos.analyse'
  | 'videos.delete'
  | 'jobs.cancel';

/** What was changed, and who changed it */
export interface AuditEntry {
  readonly id: number;
  /** Format: date-time */
  readonly at: string;
  readonly who: {
    /** operator: on the command line */
    readonly kind: 'user' | 'key' | 'operator';
    readonly id: number | null;
    /** the mail address, or the name of the key, as it was then */
    readonly name: string;
  };
  readonly action: AuditAction;
  readonly subject: {
    readonly kind: string;
    readonly id: string | null;
    readonly name: string | null;
  } | null;
  readonly details: {
    readonly [key: string]: unknown;
  } | null;
  readonly address: string | null;
  /** begun: it is under way, or the service stopped, failed or refused the rest in the midst of it, and whether it was done is not known */
  readonly state: 'begun' | 'done';
}

/** An account of the service */
export interface AdminAccount {
  readonly id: number;
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  readonly calls: {
    /** null: no limit */
    readonly limit: number | null;
    readonly used: number;
    /** null: no limit */
    readonly left: number | null;
  };
  readonly result_days: number;
  /** that are not revoked */
  readonly keys: number;
  readonly users: number;
  /** Format: date-time */
  readonly created_at: string;
  /** null unless the account is closed and about to be deleted */
  readonly deletion: {
    /** Format: date-time */
    readonly due_at: string;
    /** it cannot be cancelled any more */
    readonly has_begun: boolean;
  } | null;
}

/** The deletion of an account; once it is done, its receipt */
export interface AccountDeletion {
  readonly account_id: number;
  readonly state: 'scheduled' | 'running' | 'done';
  readonly asked_by: {
    readonly kind: 'user' | 'operator';
    /** of the user */
    readonly id: number | null;
  };
  /** Format: date-time */
  readonly asked_at: string;
  /**
   * Format: date-time
   * before which the deletion does not begin
   */
  readonly due_at: string;
  readonly begun_at: string | null;
  readonly ended_at: string | null;
  /** why it does not get on */
  readonly waits_for: string | null;
  /** deleted from the database */
  readonly rows: readonly {
    /** a table of the database, or a store of files */
    readonly kind: string;
    readonly items: number;
    /** of files; of rows, those that they named */
    readonly bytes: number;
  }[];
  readonly files: readonly {
    /** the id of the data folder */
    readonly folder: string;
    /** a table of the database, or a store of files */
    readonly kind: string;
    readonly items: number;
    /** of files; of rows, those that they named */
    readonly bytes: number;
  }[];
  /** data folders whose services have not reported yet */
  readonly folders_left: readonly string[];
}

export interface AdminUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** whether they look after the whole service */
  readonly is_administrator: boolean;
  readonly has_totp: boolean;
  /** Format: date-time */
  readonly created_at: string;
  readonly signed_in_at: string | null;
  readonly account: {
    readonly id: number;
    readonly name: string;
  };
}

/** A link that sets another password, once */
export interface ResetLink {
  /** for whoever forgot their password: shown here and never again */
  readonly link: string;
  readonly expires_at: string | null;
}

/** How the service is */
export interface ServiceState {
  readonly version: string;
  /** Format: date-time */
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly is_ready: boolean;
  readonly components: readonly {
    readonly name: string;
    readonly is_ready: boolean;
    /** what is missing */
    readonly reason: string | null;
    /** what an administrator should look at, though it is ready */
    readonly notices: readonly string[];
  }[];
  readonly inference: {
    /** jobs that wait for a process */
    readonly queued: number;
    /** processes that ended unasked, since the start */
    readonly crashed: number;
    /** replaced for their size */
    readonly recycled: number;
    /** ended above the memory that a job may take */
    readonly outgrown: number;
    /** jobs past their time */
    readonly timeouts: number;
    /** how graphs with 8-bit weights are run on this CPU, by a self-test: as they are; with their weights made unsigned, where int8 products saturate; or not exactly. Null until a process is ready */
    readonly int8: ('native' | 'unsigned-weights' | 'inexact') | null;
    readonly processes: readonly {
      readonly pid: number | null;
      readonly state: 'starting' | 'idle' | 'busy';
      readonly memory_bytes: number;
      readonly jobs_done: number;
      readonly models: number;
    }[];
  };
  readonly database: {
    readonly kind: 'sqlite' | 'postgresql';
    readonly bytes: number | null;
  };
  /** that the data folder is on; null where the system does not report it */
  readonly disk: {
    readonly free_bytes: number;
    readonly bytes: number;
  } | null;
  /** services on the database, this one among them */
  readonly replicas: readonly {
    /** another at each start */
    readonly uid: string;
    readonly host: string;
    readonly version: string;
    readonly roles: readonly string[];
    /** Format: date-time */
    readonly started_at: string;
    /** Format: date-time */
    readonly seen_at: string;
    /** false: it stopped reporting; its row is removed some minutes later */
    readonly is_alive: boolean;
    /** whether it alone deletes rows whose time is over */
    readonly is_leader: boolean;
  }[];
  readonly jobs: {
    readonly waiting: number;
    readonly running: number;
  };
}

/** A model of the catalogue */
export interface CatalogueModel {
  /** in the catalogue */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  /**
   * @example detector
   * @example classifier
   * @example face-embedder
   */
  readonly task: string;
  readonly licence: {
    /** an SPDX identifier, or unknown */
    readonly stated: string;
    readonly by: string;
    /** the licence itself, where the operator gave it */
    readonly text: string | null;
  };
  readonly provenance: {
    readonly known: readonly string[];
    readonly unknown: readonly string[];
  };
  readonly measured: readonly {
    readonly figure: string;
    readonly value: string;
    /** without it the value is worth nothing */
    readonly how: string;
  }[];
  readonly is_installed: boolean;
  /** whether the operator of this installation added it */
  readonly is_added: boolean;
  /** what v1 and v2 name it by, where they can; alone or joined with others */
  readonly predicts_as: readonly {
    readonly model_id: number;
    readonly uid: string;
    readonly name: string;
    readonly task: 'object_detection' | 'classification';
  }[];
  /** of its files as they are fetched */
  readonly bytes: number;
  readonly installed_version: string | null;
  /** installed by npm start without asking */
  readonly is_default: boolean;
  /** own: an entry of the models folder */
  readonly origin: 'shipped' | 'own';
}

/** A setting as it is in force */
export interface SettingInForce {
  readonly name: string;
  /** of the environment */
  readonly variable: string;
  /** in force; secrets and passwords masked */
  readonly value: unknown;
  readonly default: unknown;
  /** default, the name of a variable, or the path of a file */
  readonly source: string;
  readonly description: string;
}

/** one of images, faces, datasets, imports, models, drops, media */
export type SweptStoreName = 'images' | 'faces' | 'datasets' | 'imports' | 'models' | 'drops' | 'media';

/** How the sweeps are: what deletes data whose time is over, and files that no row names */
export interface SweepReport {
  /** nothing is moved or deleted until then */
  readonly suspended: {
    /** Format: date-time */
    readonly until: string;
    readonly reason: string;
  } | null;
  /** for which files that no row names are kept */
  readonly quarantine_days: number;
  readonly stores: readonly {
    readonly store: SweptStoreName;
    /** items in quarantine */
    readonly quarantined: number;
    /** the sweep found too much and waits for a confirmation */
    readonly blocked: {
      /** items that no row names */
      readonly orphans: number;
      /** all items of the store */
      readonly items: number;
      /** Format: date-time */
      readonly since: string;
      readonly is_confirmed: boolean;
    } | null;
  }[];
  readonly sweeps: readonly {
    readonly name: string;
    /** of the last run; null before the first one since the start */
    readonly outcome: ('done' | 'failed' | 'blocked' | 'suspended') | null;
    readonly ran_at: string | null;
  }[];
}

/** A port for clients of another service that send no key: they have the access of its key */
export interface CompatListener {
  readonly id: number;
  readonly port: number;
  /**
   * the address it listens on
   * @example 127.0.0.1
   */
  readonly host: string;
  readonly key_id: number;
  readonly key_name: string;
  readonly account_id: number;
  /** of its key */
  readonly protocol: 'deepstack' | 'compreface' | 'doods' | 'frigate';
  readonly allowed_networks: readonly string[];
  /** Format: date-time */
  readonly created_at: string;
  /** at the replica that answers; one that failed is tried again every few seconds */
  readonly state: 'listening' | 'failed';
  /** why it does not listen */
  readonly reason: string | null;
}

/** A model that comes with the service, or that its operator added: what is known of it, and what is not */
export interface BuiltInModel {
  /** in the catalogue */
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  /**
   * @example detector
   * @example classifier
   * @example face-embedder
   */
  readonly task: string;
  readonly licence: {
    /** an SPDX identifier, or unknown */
    readonly stated: string;
    readonly by: string;
    /** the licence itself, where the operator gave it */
    readonly text: string | null;
  };
  readonly provenance: {
    readonly known: readonly string[];
    readonly unknown: readonly string[];
  };
  readonly measured: readonly {
    readonly figure: string;
    readonly value: string;
    /** without it the value is worth nothing */
    readonly how: string;
  }[];
  readonly is_installed: boolean;
  /** whether the operator of this installation added it */
  readonly is_added: boolean;
  /** what v1 and v2 name it by, where they can; alone or joined with others */
  readonly predicts_as: readonly {
    readonly model_id: number;
    readonly uid: string;
    readonly name: string;
    readonly task: 'object_detection' | 'classification';
  }[];
}

export interface FileHead {
  /** a fileid */
  readonly fileid: string;
  /**
   * the name of an operation, such as v1.predict_image
   * @example v1.predict_image
   */
  readonly operation: string;
  readonly key_id: number;
  /** Format: date-time */
  readonly created_at: string;
  /** Format: date-time */
  readonly expires_at: string;
  /** size of the kept image; null when it is not kept */
  readonly image_bytes: number | null;
  /** names of people, titles of objects and of classes, eight at most, and the models that ran; empty for one of before such were kept */
  readonly summary: {
    readonly labels: readonly string[];
    readonly models: readonly string[];
  };
}

/** The analysis */
export interface FileAnalysis {
  /** a fileid */
  readonly fileid: string;
  /**
   * the name of an operation, such as v1.predict_image
   * @example v1.predict_image
   */
  readonly operation: string;
  readonly key_id: number;
  /** Format: date-time */
  readonly created_at: string;
  /** Format: date-time */
  readonly expires_at: string;
  /** size of the kept image; null when it is not kept */
  readonly image_bytes: number | null;
  /** names of people, titles of objects and of classes, eight at most, and the models that ran; empty for one of before such were kept */
  readonly summary: {
    readonly labels: readonly string[];
    readonly models: readonly string[];
  };
  readonly image: {
    readonly kind: string;
    readonly width: number;
    readonly height: number;
  };
  readonly models: readonly {
    readonly id: string;
    readonly version: string;
  }[];
  /** the calibration of the scores of objects */
  readonly calibration: string | null;
  /** the tasks that ran, with their thresholds and limits */
  readonly options: readonly ({
    readonly task: string;
  } & {
    readonly [key: string]: unknown;
  })[];
  /** milliseconds */
  readonly timings_ms: {
    readonly [key: string]: number;
  };
  /** in pixels of the image as seen */
  readonly result: {
    readonly [key: string]: unknown;
  };
}

/** The key as it is now */
export interface ApiKey {
  readonly id: number;
  /**
   * how the key begins
   * @example lyn_4fQ0
   */
  readonly prefix: string;
  /** @example shop front */
  readonly name: string;
  /** Format: date-time */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** calls it may make in all, beside the limit of the account; null: no limit of its own */
  readonly call_limit: number | null;
  readonly calls_used: number;
  /** what it opens: everything of the account; one drop by FTP; or what a client of another service asks for */
  readonly scope: 'account' | 'drop' | 'compat';
  /** of a key of the scope compat */
  readonly compat: CompatSettings | null;
  /** who created it */
  readonly created_by: {
    /** operator: the command line; unknown: from before it was written down */
    readonly kind: 'user' | 'key' | 'operator' | 'unknown';
    /** the user, also of what one of their keys created; null where there is none */
    readonly user_id: number | null;
    /** the key, of what a key created */
    readonly key_id: number | null;
    /** the user's name, for owners of the account; null for who has left */
    readonly name: string | null;
  };
  /** whether it is the key of this request */
  readonly is_current: boolean;
}

/** The new key */
export interface NewApiKey {
  readonly id: number;
  /**
   * how the key begins
   * @example lyn_4fQ0
   */
  readonly prefix: string;
  /** @example shop front */
  readonly name: string;
  /** Format: date-time */
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** calls it may make in all, beside the limit of the account; null: no limit of its own */
  readonly call_limit: number | null;
  readonly calls_used: number;
  /** what it opens: everything of the account; one drop by FTP; or what a client of another service asks for */
  readonly scope: 'account' | 'drop' | 'compat';
  /** of a key of the scope compat */
  readonly compat: CompatSettings | null;
  /** who created it */
  readonly created_by: {
    /** operator: the command line; unknown: from before it was written down */
    readonly kind: 'user' | 'key' | 'operator' | 'unknown';
    /** the user, also of what one of their keys created; null where there is none */
    readonly user_id: number | null;
    /** the key, of what a key created */
    readonly key_id: number | null;
    /** the user's name, for owners of the account; null for who has left */
    readonly name: string | null;
  };
  /** whether it is the key of this request */
  readonly is_current: boolean;
  /**
   * the key itself: shown here and never again
   * @example lyn_4fQ0…
   */
  readonly key: string;
}

/** Frames of streams and videos that were analysed, counted ahead in blocks */
export interface FramesToday {
  /** since midnight UTC */
  readonly today: number;
  /** null: no limit */
  readonly limit_per_day: number | null;
}

/** Calls that counted, of one day (UTC), key and operation */
export interface UsageRow {
  /** Format: date */
  readonly day: string;
  readonly key_id: number;
  /** of the key; web account: the pages of one of its people */
  readonly key_name: string;
  /**
   * the name of an operation, such as v1.predict_image
   * @example v1.predict_image
   */
  readonly operation: string;
  readonly calls: number;
  /** calls that were ended while they ran, by a limit, a crash, a time-out or their client; they do not count in calls */
  readonly failed: number;
  /** processor time that those took */
  readonly failed_processor_seconds: number;
}

/** A page of usage */
export interface UsagePage {
  readonly frames: FramesToday;
  /** Format: date */
  readonly from: string;
  /** Format: date */
  readonly to: string;
  /** the calls of all pages together */
  readonly total: number;
  readonly data: readonly UsageRow[];
  /** for the next page, as cursor; null: this is the last */
  readonly next_cursor: string | null;
}

/** Usage, summed */
export interface UsageSums {
  readonly frames: FramesToday;
  /** Format: date */
  readonly from: string;
  /** Format: date */
  readonly to: string;
  /** all calls together */
  readonly total: number;
  /** day, operation or key */
  readonly group_by: 'day' | 'operation' | 'key';
  /** days in their order; operations and keys by calls, the most first */
  readonly data: readonly {
    /** Format: date */
    readonly day?: string;
    /**
     * the name of an operation, such as v1.predict_image
     * @example v1.predict_image
     */
    readonly operation?: string;
    readonly key_id?: number;
    /** beside key_id */
    readonly key_name?: string;
    readonly calls: number;
    /** calls that were ended while they ran, by a limit, a crash, a time-out or their client; they do not count in calls */
    readonly failed: number;
    /** processor time that those took */
    readonly failed_processor_seconds: number;
  }[];
  /** all of it is here */
  readonly next_cursor: null;
}

/** The account */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  readonly calls: {
    /** what the account may make in all; null: no limit */
    readonly limit: number | null;
    readonly used: number;
    /** null: no limit */
    readonly left: number | null;
  };
  /** days for which results are kept; 0: they are not */
  readonly result_days: number;
  /** Format: date-time */
  readonly created_at: string;
}

/** What can be wrong with an image of a face; see docs/faces.md */
export type EnrolmentProblem =
  | 'too-small'
  | 'landmarks-implausible'
  | 'covered'
  | 'blurred'
  | 'turned-away'
  | 'too-dark'
  | 'too-bright'
  | 'several-faces'
  | 'same-image'
  | 'nearly-the-same'
  | 'looks-like-another'
  | 'unlike-own-images';

/** The perception as it is now: a collection of people whose faces are known */
export interface Perception {
  /** what v1 names it by */
  readonly model_id: number;
  /** the same as text, which v1 takes too */
  readonly uid: string;
  /** @example staff */
  readonly name: string;
  /** the similarity, 0 to 1, from which a face is taken for a person */
  readonly decision_similarity: number;
  /** whether a search distinguishes living faces from images of them */
  readonly wants_liveness: boolean;
  /** whether general recognition names faces by it */
  readonly names_recognition: boolean;
  /** problems for which an image is not added */
  readonly refused_problems: readonly EnrolmentProblem[];
  /** its own curve from cosine to similarity; null: the curve of the embedder */
  readonly calibration: {
    readonly midpoint: number;
    readonly slope: number;
  } | null;
  /** the model that describes its faces, with its version */
  readonly embedder: string;
  /** Format: date-time */
  readonly created_at: string;
}

/** The perception, and how much it holds */
export interface CountedPerception {
  /** what v1 names it by */
  readonly model_id: number;
  /** the same as text, which v1 takes too */
  readonly uid: string;
  /** @example staff */
  readonly name: string;
  /** the similarity, 0 to 1, from which a face is taken for a person */
  readonly decision_similarity: number;
  /** whether a search distinguishes living faces from images of them */
  readonly wants_liveness: boolean;
  /** whether general recognition names faces by it */
  readonly names_recognition: boolean;
  /** problems for which an image is not added */
  readonly refused_problems: readonly EnrolmentProblem[];
  /** its own curve from cosine to similarity; null: the curve of the embedder */
  readonly calibration: {
    readonly midpoint: number;
    readonly slope: number;
  } | null;
  /** the model that describes its faces, with its version */
  readonly embedder: string;
  /** Format: date-time */
  readonly created_at: string;
  readonly people: number;
  readonly images: number;
}

/** What was deleted, for good */
export interface DeletionReceipt {
  readonly people: number;
  readonly images: number;
  readonly embeddings: number;
  readonly corrections: number;
  readonly image_bytes: number;
}

/** similarity = 1 / (1 + exp(-slope (cosine - midpoint))) */
export interface SimilarityCurve {
  /** the cosine whose similarity is 0.5 */
  readonly midpoint: number;
  readonly slope: number;
}

/** A cosine from which faces are taken for the same person, and what that does to the pairs looked at */
export interface DecisionPoint {
  /** from which faces are taken for the same person, -1 to 1 */
  readonly cosine: number;
  /** of this cosine, on the curve in force */
  readonly similarity_now: number;
  /** of this cosine, on the proposed curve */
  readonly similarity_proposed: number;
  /** of the pairs of two people's images, the share that reaches the cosine, 0 to 1 */
  readonly false_match_rate: number;
  /** of the pairs of one person's images, the share that does not reach it, 0 to 1 */
  readonly false_non_match_rate: number;
}

/** cosines of the pairs as bars of equal width: shares of each kind, which add up to 1 */
export interface PairDistributions {
  /** the cosine at which the first bar begins */
  readonly from: number;
  /** the cosine at which the last bar ends */
  readonly to: number;
  readonly genuine: readonly number[];
  readonly impostor: readonly number[];
}

export interface ProposedCalibration {
  readonly calibration: SimilarityCurve;
  /** people with two images or more that were looked at */
  readonly people: number;
  /** their images that were looked at */
  readonly images: number;
  readonly pairs: {
    /** of one person's images */
    readonly genuine: number;
    /** of two people's images */
    readonly impostor: number;
  };
  /** the decision point of the perception on either curve */
  readonly decision: {
    readonly now: DecisionPoint;
    readonly proposed: DecisionPoint;
  };
  readonly distributions: PairDistributions;
}

/** The curve in force, and the one that the people of the perception would give */
export interface CalibrationReport {
  readonly calibration: SimilarityCurve;
  /** whose the curve is: the one that comes with the embedder, or one set for this perception */
  readonly source: 'embedder' | 'own';
  readonly embedder_calibration: SimilarityCurve;
  /** a curve fitted to the perception's own people; null where there is none */
  readonly proposal: ProposedCalibration | null;
  /** why there is no proposal, such as how many images are needed */
  readonly reason: string | null;
}

/** The curve in force */
export interface CurveInForce {
  readonly calibration: SimilarityCurve;
  /** whose the curve is: the one that comes with the embedder, or one set for this perception */
  readonly source: 'embedder' | 'own';
  readonly embedder_calibration: SimilarityCurve;
}

/** models that recognise faces together */
export type FaceChain = 'accurate' | 'permissive';

export interface EmbeddedBy {
  /**
   * a model with its version
   * @example fr-feature@0123456789ab
   */
  readonly embedder: string;
  /** the chain of models to which the embedder belongs; null: one of no chain of this service */
  readonly chain: FaceChain | null;
  /** that it has described */
  readonly images: number;
}

export interface RefittedDecision {
  /** from which faces match */
  readonly cosine: number;
  /** the same as a similarity, 0 to 1 */
  readonly similarity: number;
  /** of the perception; null: the curve of the embedder */
  readonly calibration: {
    readonly midpoint: number;
    readonly slope: number;
  } | null;
}

/** By what the images are described, and what becomes of a change of it */
export interface EmbedderState {
  /**
   * a model with its version
   * @example fr-feature@0123456789ab
   */
  readonly embedder: string;
  /** the chain of models to which the embedder belongs; null: one of no chain of this service */
  readonly chain: FaceChain | null;
  /** that it has described */
  readonly images: number;
  /** embedders not in use that have described images too: going back to one is quick */
  readonly kept: readonly EmbeddedBy[];
  readonly change: {
    /** held: all is described but what was left out; failed: error says why */
    readonly state: 'none' | 'waiting' | 'embedding' | 'held' | 'failed';
    /** that is to come; null without a change */
    readonly embedder: string | null;
    /** the chain of models to which the embedder belongs; null: one of no chain of this service */
    readonly chain: FaceChain | null;
    /** whether images may stay without a vector */
    readonly leave_out: boolean;
    /** images that are described or left out */
    readonly done: number;
    readonly total: number;
    /** null while nobody knows */
    readonly seconds_left: number | null;
    /** why it failed, or failed last */
    readonly error: string | null;
    /** how to continue, where it does not by itself */
    readonly advice: string | null;
  };
  /** how the last change moved a decision point or curve of its own, so that strangers match as often as before; null: it has none, or the model is another */
  readonly refit: {
    readonly from: RefittedDecision;
    readonly to: RefittedDecision;
    /** of two of its people, compared to keep the rate; 0: by the figures of the embedder */
    readonly pairs: number;
    /** that both have, 0 to 1 */
    readonly false_match_rate: number;
  } | null;
  /** images that the embedder of the change, else the one in use, cannot describe */
  readonly left_out: {
    readonly count: number;
    /** the first hundred by id */
    readonly images: readonly {
      readonly image_id: number;
      readonly reason: 'no-face' | 'other-face' | 'image-damaged' | 'image-missing' | 'analysis-failed';
    }[];
  };
  /** corrections by embedders not in use; they count again when their embedder does */
  readonly inactive_corrections: number;
}

/** The person as they are now */
export interface Person {
  readonly id: number;
  /** the perception */
  readonly model_id: number;
  /** @example Ada Lovelace */
  readonly name: string;
  /** your own id of the person */
  readonly key_id: string | null;
  /** how many */
  readonly images: number;
  /** the newest of them; null without one */
  readonly image_id: number | null;
  /** Format: date-time */
  readonly created_at: string;
}

/** in pixels of the image as it is meant to be seen */
export interface FaceBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export interface FaceQuality {
  /** of the face: the geometric mean of the sides of its box */
  readonly size_px: number;
  /** 0 for none */
  readonly sharpness: number;
  /** in the direction in which the face is least sharp, 0 for none; null for a face that was embedded before this was measured */
  readonly directional_sharpness: number | null;
  /** 0 for none; from 1 on a mask, sunglasses or the like cover the face; null for a face that was embedded before this was measured */
  readonly coverage: number | null;
  /** how little is certain of the face; of two faces that both have 1 or more neither names the other; null for a face that was embedded before this was measured */
  readonly doubt: number | null;
  readonly yaw_deg: number;
  readonly pitch_deg: number;
  readonly roll_deg: number;
  /** 0 to 255 */
  readonly brightness: number;
  /** what to fix, the worst first */
  readonly problems: readonly EnrolmentProblem[];
}

/** An image of a person’s face */
export interface FaceImage {
  readonly id: number;
  /** the perception */
  readonly model_id: number;
  readonly person_id: number;
  /** by which it was added; null for one added by person */
  readonly key_id: string | null;
  readonly content: {
    /** @example jpeg */
    readonly kind: string;
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
  };
  readonly box: FaceBox;
  /** of the detector, 0 to 1 */
  readonly score: number;
  readonly quality: FaceQuality;
  /** Format: date-time */
  readonly created_at: string;
}

/** What became of the image; 201 when it was added */
export interface EnrolledImage {
  /** refused: the perception takes no image with one of these problems, or accept_problems was not given; nothing is kept */
  readonly outcome: 'added' | 'refused' | 'no-face';
  /** what was added */
  readonly image: FaceImage | null;
  /** what is wrong with the image, the worst first */
  readonly findings: readonly {
    readonly problem: EnrolmentProblem;
    /** what to fix, in words that may change */
    readonly advice: string;
  }[];
}

/** What became of the image */
export interface ReEmbeddedImage {
  /** no-face: the embedder finds no face in the image, and nothing was changed */
  readonly outcome: 'embedded' | 'no-face';
  readonly image: FaceImage;
  /** what is wrong with the image, the worst first */
  readonly findings: readonly {
    readonly problem: EnrolmentProblem;
    /** what to fix, in words that may change */
    readonly advice: string;
  }[];
}

/** "This is not X": a face for which a search proposes the person no more */
export interface Correction {
  readonly id: number;
  readonly person_id: number;
  /** Format: date-time */
  readonly created_at: string;
}

/** What became of it; 201 when it is remembered */
export interface CorrectedPerson {
  readonly outcome: 'added' | 'no-face';
  /** what is remembered */
  readonly correction: Correction | null;
}

/** classification or object_detection */
export type DatasetTask = 'classification' | 'object_detection';

/** The dataset: labelled images to train with */
export interface Dataset {
  readonly id: number;
  readonly uid: string;
  /** @example raccoons */
  readonly name: string;
  readonly task: DatasetTask;
  /** whether an image may have any number of classes */
  readonly multi_label: boolean;
  /** Format: date-time */
  readonly created_at: string;
}

export interface CountedDatasetClass {
  readonly id: number;
  readonly name: string;
  /** that show it */
  readonly images: number;
  /** boxes, in object detection */
  readonly labels: number;
  /** of the images */
  readonly held_out: number;
}

/** The dataset, and how much it holds */
export interface CountedDataset {
  readonly id: number;
  readonly uid: string;
  /** @example raccoons */
  readonly name: string;
  readonly task: DatasetTask;
  /** whether an image may have any number of classes */
  readonly multi_label: boolean;
  /** Format: date-time */
  readonly created_at: string;
  readonly images: number;
  /** that have labels, or are marked as empty */
  readonly labelled: number;
  readonly image_bytes: number;
  /** images to train with */
  readonly train: number;
  /** images to measure with */
  readonly held_out: number;
  /** in the order in which they were added */
  readonly classes: readonly CountedDatasetClass[];
}

/** What was deleted, for good */
export interface DatasetReceipt {
  readonly images: number;
  readonly labels: number;
  readonly classes: number;
  readonly image_bytes: number;
}

/** The class as it is now */
export interface DatasetClass {
  readonly id: number;
  /** @example raccoon */
  readonly name: string;
}

/** train or held-out */
export type DatasetSplit = 'train' | 'held-out';

/** in pixels of the image as it is meant to be seen */
export interface DatasetBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export interface DatasetLabel {
  readonly class_id: number;
  /** null in classification */
  readonly box: DatasetBox | null;
}

/** The image as it is now */
export interface DatasetImage {
  readonly id: number;
  readonly dataset_id: number;
  readonly file_name: string;
  readonly image: {
    /** @example jpeg */
    readonly kind: string;
    readonly width: number;
    readonly height: number;
    readonly bytes: number;
    readonly sha256: string;
  };
  /** null before the dataset was split */
  readonly split: DatasetSplit | null;
  /** null while nobody said what it shows; empty when it shows none of the classes */
  readonly labels: readonly DatasetLabel[] | null;
  /** whether an import could not read some of its labels: what they do not name counts as unknown. Saving labels ends it */
  readonly partly_labelled: boolean;
  /** another one with each change of the labels; `If-Match: "…"` of it guards a change */
  readonly labels_revision: number;
  /** Format: date-time */
  readonly created_at: string;
}

export interface AddedImage {
  /** its name, or its address */
  readonly file: string;
  /** duplicate: the dataset has these very bytes, as image_id */
  readonly outcome: 'added' | 'duplicate' | 'refused';
  readonly image_id: number | null;
  /** an image that looks nearly the same; the two stay on one side of the split */
  readonly near_duplicate_of: number | null;
  /** why it was refused */
  readonly problem: string | null;
  /** the same in words, which may change */
  readonly message: string | null;
}

/** What became of each image, in the order in which they came */
export interface AddedImages {
  readonly data: readonly AddedImage[];
}

/** What a model takes the image to show */
export interface LabelSuggestions {
  /** the UID of the model that was asked */
  readonly model_id: string;
  /** what the dataset has a class of that name for, the surest first */
  readonly labels: readonly {
    readonly class_id: number;
    /** null in classification */
    readonly box: DatasetBox | null;
    /** of the model, 0 to 1 */
    readonly score: number;
  }[];
  /** what it has none for */
  readonly others: readonly {
    readonly title: string;
    /** null in classification */
    readonly box: DatasetBox | null;
    /** of the model, 0 to 1 */
    readonly score: number;
  }[];
}

/** What can be wrong with an image, a label or a dataset; see docs/datasets.md */
export type DatasetProblem =
  | 'unreadable'
  | 'not-an-image'
  | 'too-large'
  | 'refused-file'
  | 'ignored-file'
  | 'dataset-full'
  | 'account-full'
  | 'no-space'
  | 'duplicate'
  | 'near-duplicate'
  | 'leakage'
  | 'tiny-box'
  | 'box-outside'
  | 'box-clipped'
  | 'box-scaled'
  | 'box-rotated'
  | 'box-swapped'
  | 'outline-to-box'
  | 'size-differs'
  | 'unclear'
  | 'encoding'
  | 'bad-label'
  | 'no-box'
  | 'repeated-label'
  | 'unknown-class'
  | 'too-many-labels'
  | 'labels-differ'
  | 'partly-labelled'
  | 'no-labels'
  | 'no-image'
  | 'few-images';

export interface DatasetFindingKind {
  readonly problem: DatasetProblem;
  /** what it does: something is not taken, is taken changed, or is only to be known */
  readonly effect: 'refused' | 'changed' | 'notice';
  readonly findings: number;
  /** labels that they are about */
  readonly labels: number;
  /** the first three */
  readonly examples: readonly {
    /**
     * DatasetProblem
     * What can be wrong with an image, a label or a dataset; see docs/datasets.md
     */
    readonly problem:
      | 'unreadable'
      | 'not-an-image'
      | 'too-large'
      | 'refused-file'
      | 'ignored-file'
      | 'dataset-full'
      | 'account-full'
      | 'no-space'
      | 'duplicate'
      | 'near-duplicate'
      | 'leakage'
      | 'tiny-box'
      | 'box-outside'
      | 'box-clipped'
      | 'box-scaled'
      | 'box-rotated'
      | 'box-swapped'
      | 'outline-to-box'
      | 'size-differs'
      | 'unclear'
      | 'encoding'
      | 'bad-label'
      | 'no-box'
      | 'repeated-label'
      | 'unknown-class'
      | 'too-many-labels'
      | 'labels-differ'
      | 'partly-labelled'
      | 'no-labels'
      | 'no-image'
      | 'few-images';
    readonly file: string | null;
    readonly image_id: number | null;
    /** labels that it is about; 0 when it is about an image or a file */
    readonly labels: number;
    /** in words that may change */
    readonly message: string;
  }[];
}

export interface DatasetFinding {
  readonly problem: DatasetProblem;
  readonly file: string | null;
  readonly image_id: number | null;
  /** labels that it is about; 0 when it is about an image or a file */
  readonly labels: number;
  /** in words that may change */
  readonly message: string;
}

/** What is wrong with it */
export interface DatasetFindings {
  /** how often each problem was found: of labels, their number */
  readonly counts: {
    readonly [key: string]: number;
  };
  /** all findings by problem, what is refused first */
  readonly kinds: readonly DatasetFindingKind[];
  /** the first thousand */
  readonly findings: readonly DatasetFinding[];
  /** findings beyond those */
  readonly left_out: number;
}

/** How the labelled images are split now */
export interface DatasetSplitCounts {
  /** images that had no split before */
  readonly assigned: number;
  readonly train: number;
  readonly held_out: number;
}

/** The model of the account as it is now */
export interface CustomModel {
  /** what v1 names it by; counts with perceptions */
  readonly model_id: number;
  /** what v2 names it by; either does everywhere */
  readonly uid: string;
  /** @example animals */
  readonly name: string;
  readonly description: string;
  /** classification or object_detection */
  readonly task: 'classification' | 'object_detection';
  /** the number of the version that predicts; null before there is one */
  readonly version: number | null;
  /** what it was trained on last */
  readonly dataset_id: number | null;
  /** Format: date-time */
  readonly created_at: string;
}

/** What was deleted, for good */
export interface ModelReceipt {
  readonly versions: number;
  /** trainings and comparisons of it, ended or not */
  readonly jobs: number;
  readonly model_bytes: number;
}

/** The version */
export interface ModelVersion {
  readonly number: number;
  /** what a kept analysis names it by */
  readonly uid: string;
  readonly origin: 'training' | 'upload';
  /** whether it is the one that predicts */
  readonly is_current: boolean;
  /** of its model.onnx */
  readonly model_bytes: number;
  /** the job that trained it */
  readonly job_id: string | null;
  /** Format: date-time */
  readonly created_at: string;
  /** whether an object gets one label only; false for a classifier */
  readonly one_label: boolean;
}

/** the options of the upload; see docs/uploads.md */
export interface ModelImportOptions {
  readonly family?: 'classifier' | 'detector' | 'embedder';
  readonly labels?: readonly string[];
  readonly layout?: 'yolov5' | 'yolov8' | 'yolox' | 'detr' | 'ssd' | 'rows';
  readonly input?: {
    readonly width?: number;
    readonly height?: number;
    readonly fit?: 'squash' | 'centre' | 'letterbox';
    readonly channels?: 'rgb' | 'bgr' | 'grey';
    readonly mean?: readonly number[];
    readonly std?: readonly number[];
  };
  readonly boxes?: {
    readonly format?: 'cxcywh' | 'xyxy' | 'yxyx';
    readonly unit?: 'pixels' | 'relative';
  };
  readonly activation?: 'none' | 'sigmoid' | 'softmax' | 'softmax-last';
  readonly threshold?: number;
  readonly first_class?: number;
}

/** how the file was understood */
export interface ModelImport {
  /** onnx, tflite, tfjs or tfjs-layers */
  readonly format: string;
  /** as they were uploaded */
  readonly files: readonly string[];
  readonly options: ModelImportOptions;
  /** what was found or assumed, one sentence each */
  readonly notes: readonly string[];
  /** median of a run on one thread */
  readonly trial_ms: number;
  /** memory of the process that tried it, in MiB */
  readonly trial_mb: number;
}

/** The version, with its classes */
export interface ReadModelVersion {
  readonly number: number;
  /** what a kept analysis names it by */
  readonly uid: string;
  readonly origin: 'training' | 'upload';
  /** whether it is the one that predicts */
  readonly is_current: boolean;
  /** of its model.onnx */
  readonly model_bytes: number;
  /** the job that trained it */
  readonly job_id: string | null;
  /** Format: date-time */
  readonly created_at: string;
  /** whether an object gets one label only; false for a classifier */
  readonly one_label: boolean;
  /** in the order of the outputs */
  readonly labels: readonly string[];
  /** of an upload */
  readonly import: ModelImport | null;
}

export interface JobProgress {
  /** in a word or two, which may change */
  readonly stage: string | null;
  /** steps of this stage */
  readonly done: number;
  /** null while nobody knows */
  readonly total: number | null;
  /** of this stage, 0 to 100 */
  readonly percent: number | null;
  /** of this stage; null while nobody knows */
  readonly seconds_left: number | null;
}

/** The job as it is now: work that continues after the request that started it */
export interface Job {
  readonly id: string;
  /** @example dataset-import */
  readonly kind: string;
  /** what it works on, such as a dataset of this id */
  readonly subject: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress: JobProgress;
  /** of the kind; null before it is done */
  readonly result: unknown;
  /** why it failed, or failed last */
  readonly error: string | null;
  /** Format: date-time */
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** what general recognition may look for */
export type RecognitionPart = 'classes' | 'objects' | 'texts' | 'faces';

/** how objects are looked for: "high" in slices of large images as well, which finds small ones and takes longer, "auto" so from 4 megapixels on, "normal" in the whole image alone */
export type DetectionDetail = 'auto' | 'high' | 'normal';

/** a language that text can be read in, by ISO 639-1 */
export type TextLanguage =
  | 'cs'
  | 'da'
  | 'de'
  | 'en'
  | 'es'
  | 'fi'
  | 'fr'
  | 'hu'
  | 'is'
  | 'it'
  | 'nl'
  | 'no'
  | 'pl'
  | 'pt'
  | 'ro'
  | 'sv'
  | 'tr'
  | 'zh';

export type DropKeywordSource = 'names' | 'objects' | 'classes' | 'texts' | 'faces';

export interface DropKeywordSettings {
  /** a list of names (of known faces), objects, classes, texts and faces (the keyword "face" where there is one) */
  readonly sources: readonly DropKeywordSource[];
  /** a number from 0 to 200: how many keywords are written, those found in the image aside */
  readonly max_keywords: number;
  /** at most 20 characters that stand before each keyword */
  readonly prefix: string;
  /** true to write all but names in lower case */
  readonly lower_case: boolean;
  /** "sidecar" for an .xmp file beside a raw file, "embedded" to write into it where that is safe */
  readonly raw_files: 'sidecar' | 'embedded';
  /** a number from 0 to 1 for each of the sources */
  readonly min_confidence: {
    /** a number from 0 to 1 */
    readonly names: number;
    /** a number from 0 to 1 */
    readonly objects: number;
    /** a number from 0 to 1 */
    readonly classes: number;
    /** a number from 0 to 1 */
    readonly texts: number;
    /** a number from 0 to 1 */
    readonly faces: number;
  };
}

/** What a drop does with its files */
export interface DropSettings {
  /** the number or UID of a model; null for general recognition */
  readonly model_id: string | null;
  /** what general recognition looks for: a list of classes, objects, texts, faces */
  readonly parts: readonly RecognitionPart[];
  readonly detail: DetectionDetail;
  /** a list of cs, da, de, en, es, fi, fr, hu, is, it, nl, no, pl, pt, ro, sv, tr, zh, the languages of the text in images: only their letters are read; none for those of the service */
  readonly text_languages: readonly TextLanguage[];
  /** a list of public keys, 20 at most, that open the drop by SFTP beside its own key */
  readonly authorized_keys: readonly string[];
  /** "deliver" to send on unchanged what can get no keywords, as what is no image or an image that cannot be read, "fail" to put it into failed/ */
  readonly other_files: 'fail' | 'deliver';
  /** a number of days from 0 to 365 for which delivered files are kept in done/; 0: not at all; files that were delivered nowhere stay */
  readonly keep_done_days: number;
  /** a number of days from 1 to 3650 for which files are kept in failed/ */
  readonly keep_failed_days: number;
  readonly keywords: DropKeywordSettings;
}

export interface FtpDestination {
  readonly kind: 'ftp';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

export interface FtpsDestination {
  readonly kind: 'ftps';
  /** explicit (the default: AUTH TLS, usually port 21) or implicit (usually port 990) */
  readonly tls?: 'explicit' | 'implicit';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

export interface SftpDestination {
  readonly kind: 'sftp';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** the fingerprint of the server's key as ssh-keygen -l prints it; left out: the first one that is seen */
  readonly host_key?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

export interface S3Destination {
  readonly kind: 's3';
  /** an http or https address without a path, such as https://s3.eu-central-1.amazonaws.com */
  readonly endpoint: string;
  /** a region such as eu-central-1; us-east-1 for most others than AWS */
  readonly region: string;
  /** the name of a bucket */
  readonly bucket: string;
  /** the id of an access key */
  readonly access_key_id: string;
  /** true (the default) for https://HOST/BUCKET, false for https://BUCKET.HOST */
  readonly path_style?: boolean;
  /** a path before every key, such as images/in */
  readonly prefix?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

export interface HttpDestination {
  readonly kind: 'http';
  /** an http or https address without user name or query; those are secrets of their own */
  readonly address: string;
  /** a user name of 1 to 200 characters */
  readonly user?: string;
  /** the name of a header that is sent with the secret header_value */
  readonly header_name?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

export interface FolderDestination {
  readonly kind: 'folder';
  /** the absolute path of a folder within one that the operator allows (dropFolders) */
  readonly folder: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
}

/** Where the files of a drop go, without what is secret; see docs/destinations.md */
export type DropDestination =
  | FtpDestination
  | FtpsDestination
  | SftpDestination
  | S3Destination
  | HttpDestination
  | FolderDestination;

/** The drop as it is now: images arrive by FTP or SFTP, get keywords, and are sent on */
export interface Drop {
  readonly id: number;
  readonly uid: string;
  /** @example sports desk */
  readonly name: string;
  /** where to send images; the password is the key of the drop */
  readonly ftp: {
    /** @example sports-desk-1f2e3d.drop.example */
    readonly host: string;
    /** null: FTP is switched off */
    readonly port: number | null;
    /** @example sports-desk-1f2e3d */
    readonly user_name: string;
  };
  /** where to send images by SFTP; the password is the key of the drop, or a private key to one of settings.authorized_keys */
  readonly sftp: {
    /** @example sports-desk-1f2e3d.drop.example */
    readonly host: string;
    /** null: SFTP is switched off */
    readonly port: number | null;
    /** @example sports-desk-1f2e3d */
    readonly user_name: string;
  };
  readonly key_id: number;
  readonly settings: DropSettings;
  /** null: files get their keywords and stay in done/ */
  readonly destination: DropDestination | null;
  readonly files: {
    /** on their way in, cut, or under a passing name */
    readonly receiving: number;
    /** arrived, and not sent on yet */
    readonly waiting: number;
    readonly failed: number;
    /** since the day began, UTC */
    readonly done_today: number;
  };
  /** Format: date-time */
  readonly created_at: string;
}

/** an object with the settings that shall be otherwise */
export interface DropSettingsInput {
  /** the number or UID of a model; null for general recognition */
  readonly model_id?: string | number | null;
  /** what general recognition looks for: a list of classes, objects, texts, faces */
  readonly parts?: readonly RecognitionPart[];
  readonly detail?: DetectionDetail;
  /** a list of cs, da, de, en, es, fi, fr, hu, is, it, nl, no, pl, pt, ro, sv, tr, zh, the languages of the text in images: only their letters are read; none for those of the service */
  readonly text_languages?: readonly TextLanguage[];
  /** a list of public keys, 20 at most, that open the drop by SFTP beside its own key */
  readonly authorized_keys?: readonly string[];
  /** "deliver" to send on unchanged what can get no keywords, as what is no image or an image that cannot be read, "fail" to put it into failed/ */
  readonly other_files?: 'fail' | 'deliver';
  /** a number of days from 0 to 365 for which delivered files are kept in done/; 0: not at all; files that were delivered nowhere stay */
  readonly keep_done_days?: number;
  /** a number of days from 1 to 3650 for which files are kept in failed/ */
  readonly keep_failed_days?: number;
  /** an object with the fields that shall change */
  readonly keywords?: {
    /** a list of names (of known faces), objects, classes, texts and faces (the keyword "face" where there is one) */
    readonly sources?: readonly DropKeywordSource[];
    /** a number from 0 to 200: how many keywords are written, those found in the image aside */
    readonly max_keywords?: number;
    /** at most 20 characters that stand before each keyword */
    readonly prefix?: string;
    /** true to write all but names in lower case */
    readonly lower_case?: boolean;
    /** "sidecar" for an .xmp file beside a raw file, "embedded" to write into it where that is safe */
    readonly raw_files?: 'sidecar' | 'embedded';
    /** a number from 0 to 1 for each of the sources */
    readonly min_confidence?: {
      /** a number from 0 to 1 */
      readonly names?: number;
      /** a number from 0 to 1 */
      readonly objects?: number;
      /** a number from 0 to 1 */
      readonly classes?: number;
      /** a number from 0 to 1 */
      readonly texts?: number;
      /** a number from 0 to 1 */
      readonly faces?: number;
    };
  };
}

/** an object with secrets of this kind; those left out stay as they are while the host stays the same */
export interface DropSecrets {
  /** a password of 1 to 500 characters */
  readonly password?: string;
  /** a private key in the form of OpenSSH or PEM */
  readonly private_key?: string;
  /** the passphrase of the private key */
  readonly passphrase?: string;
  /** the secret of the access key */
  readonly secret_access_key?: string;
  /** a token that is sent as Authorization: Bearer */
  readonly token?: string;
  /** the value of the header header_name */
  readonly header_value?: string;
  /** what comes after ? in the address */
  readonly query?: string;
}

export interface FtpDestinationInput {
  readonly kind: 'ftp';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  readonly secrets?: DropSecrets;
}

export interface FtpsDestinationInput {
  readonly kind: 'ftps';
  /** explicit (the default: AUTH TLS, usually port 21) or implicit (usually port 990) */
  readonly tls?: 'explicit' | 'implicit';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  readonly secrets?: DropSecrets;
}

export interface SftpDestinationInput {
  readonly kind: 'sftp';
  /** the name or IP address of a host, without protocol, port or path */
  readonly host: string;
  /** a port from 1 to 65535; left out: the usual one */
  readonly port?: number;
  /** a user name of 1 to 200 characters */
  readonly user: string;
  /** a path of folders, such as /images/in; left out: the folder one is in after logging in */
  readonly folder?: string;
  /** the fingerprint of the server's key as ssh-keygen -l prints it; left out: the first one that is seen */
  readonly host_key?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  readonly secrets?: DropSecrets;
}

export interface S3DestinationInput {
  readonly kind: 's3';
  /** an http or https address without a path, such as https://s3.eu-central-1.amazonaws.com */
  readonly endpoint: string;
  /** a region such as eu-central-1; us-east-1 for most others than AWS */
  readonly region: string;
  /** the name of a bucket */
  readonly bucket: string;
  /** the id of an access key */
  readonly access_key_id: string;
  /** true (the default) for https://HOST/BUCKET, false for https://BUCKET.HOST */
  readonly path_style?: boolean;
  /** a path before every key, such as images/in */
  readonly prefix?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  readonly secrets?: DropSecrets;
}

export interface HttpDestinationInput {
  readonly kind: 'http';
  /** an http or https address without user name or query; those are secrets of their own */
  readonly address: string;
  /** a user name of 1 to 200 characters */
  readonly user?: string;
  /** the name of a header that is sent with the secret header_value */
  readonly header_name?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own */
  readonly certificate?: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  readonly secrets?: DropSecrets;
}

export interface FolderDestinationInput {
  readonly kind: 'folder';
  /** the absolute path of a folder within one that the operator allows (dropFolders) */
  readonly folder: string;
  /** a path template such as {year}/{month}/{label}/{name}; left out: {folder}/{name} */
  readonly path?: string;
  /** rename (the default: IMG_1 (2).jpg), replace or fail */
  readonly if_exists?: 'rename' | 'replace' | 'fail';
  readonly secrets?: DropSecrets;
}

/** an object with kind (ftp, ftps, sftp, s3, http or folder) and what that kind takes */
export type DropDestinationInput =
  | FtpDestinationInput
  | FtpsDestinationInput
  | SftpDestinationInput
  | S3DestinationInput
  | HttpDestinationInput
  | FolderDestinationInput;

/** The drop with its new key */
export interface NewDrop {
  readonly id: number;
  readonly uid: string;
  /** @example sports desk */
  readonly name: string;
  /** where to send images; the password is the key of the drop */
  readonly ftp: {
    /** @example sports-desk-1f2e3d.drop.example */
    readonly host: string;
    /** null: FTP is switched off */
    readonly port: number | null;
    /** @example sports-desk-1f2e3d */
    readonly user_name: string;
  };
  /** where to send images by SFTP; the password is the key of the drop, or a private key to one of settings.authorized_keys */
  readonly sftp: {
    /** @example sports-desk-1f2e3d.drop.example */
    readonly host: string;
    /** null: SFTP is switched off */
    readonly port: number | null;
    /** @example sports-desk-1f2e3d */
    readonly user_name: string;
  };
  readonly key_id: number;
  readonly settings: DropSettings;
  /** null: files get their keywords and stay in done/ */
  readonly destination: DropDestination | null;
  readonly files: {
    /** on their way in, cut, or under a passing name */
    readonly receiving: number;
    /** arrived, and not sent on yet */
    readonly waiting: number;
    readonly failed: number;
    /** since the day began, UTC */
    readonly done_today: number;
  };
  /** Format: date-time */
  readonly created_at: string;
  /**
   * its key: shown here and never again
   * @example lyn_4fQ0…
   */
  readonly key: string;
}

/** What was deleted, for good */
export interface DropReceipt {
  readonly files: number;
  readonly folders: number;
  readonly file_bytes: number;
}

/** What came of it */
export interface DestinationVerdict {
  /** whether a file could be written there */
  readonly ok: boolean;
  /** where it was, until it was removed */
  readonly where: string | null;
  /** null when all is well */
  readonly problem:
    | (
        | 'unreachable'
        | 'not-allowed'
        | 'credentials'
        | 'identity'
        | 'refused'
        | 'full'
        | 'exists'
        | 'mismatch'
        | 'settings'
      )
    | null;
  /** what to fix, in words that may change */
  readonly message: string | null;
  readonly duration_ms: number;
}

export type DropFileState =
  | 'receiving'
  | 'partial'
  | 'held'
  | 'arrived'
  | 'predicted'
  | 'written'
  | 'done'
  | 'failed';

/** The file as it is now */
export interface DropFile {
  readonly id: string;
  /**
   * as it came
   * @example IMG_1.jpg
   */
  readonly name: string;
  /**
   * within incoming/, as it came
   * @example DCIM/100CANON
   */
  readonly folder: string;
  /**
   * where it is by FTP now
   * @example done/2026-01-31/IMG_1.jpg
   */
  readonly path: string;
  readonly state: DropFileState;
  readonly file_bytes: number;
  /** of its analysis, which `/api/files/{fileid}` returns while it is kept */
  readonly fileid: string | null;
  readonly delivered_to: string | null;
  /** why it failed, or failed last while it is tried again; of a file that is done, why it has no keywords */
  readonly error: string | null;
  readonly summary: {
    /** the first that the service wrote, 6 at most */
    readonly keywords: readonly string[];
  };
  /** Format: date-time */
  readonly created_at: string;
  readonly ended_at: string | null;
}

/** What was deleted, for good */
export interface DropPurgeReceipt {
  readonly files: number;
  readonly file_bytes: number;
  /** how many are left for another such request */
  readonly left: number;
}

export interface DropLabels {
  readonly objects: readonly {
    readonly title: string;
    readonly score: number;
    readonly box: {
      readonly x_min: number;
      readonly y_min: number;
      readonly x_max: number;
      readonly y_max: number;
    };
  }[];
  readonly classes: readonly {
    readonly title: string;
    readonly score: number;
  }[];
  readonly texts: readonly {
    readonly text: string;
    readonly score: number;
  }[];
  readonly faces: readonly {
    readonly score: number;
    readonly box: {
      readonly x_min: number;
      readonly y_min: number;
      readonly x_max: number;
      readonly y_max: number;
    };
    readonly person: {
      readonly name: string;
      readonly similarity: number;
    } | null;
  }[];
}

/** The file, with what was found in it and what happened to it */
export interface DropFileDetails {
  readonly id: string;
  /**
   * as it came
   * @example IMG_1.jpg
   */
  readonly name: string;
  /**
   * within incoming/, as it came
   * @example DCIM/100CANON
   */
  readonly folder: string;
  /**
   * where it is by FTP now
   * @example done/2026-01-31/IMG_1.jpg
   */
  readonly path: string;
  readonly state: DropFileState;
  readonly file_bytes: number;
  /** of its analysis, which `/api/files/{fileid}` returns while it is kept */
  readonly fileid: string | null;
  readonly delivered_to: string | null;
  /** why it failed, or failed last while it is tried again; of a file that is done, why it has no keywords */
  readonly error: string | null;
  readonly summary: {
    /** the first that the service wrote, 6 at most */
    readonly keywords: readonly string[];
  };
  /** Format: date-time */
  readonly created_at: string;
  readonly ended_at: string | null;
  /** what was found; boxes in pixels of the image as it is meant to be seen; null before */
  readonly labels: DropLabels | null;
  /** null before they were written */
  readonly keywords: {
    /** where they were written; null: nowhere */
    readonly field: ('iptc+xmp' | 'xmp' | 'sidecar') | null;
    /** in the file now */
    readonly all: readonly string[];
    /** of them, by us */
    readonly added: readonly string[];
  } | null;
  /** what happened to it, the oldest first */
  readonly history: readonly {
    /** Format: date-time */
    readonly at: string;
    readonly what: string;
    readonly detail: string | null;
  }[];
}

/** What was deleted, for good */
export interface DropFileReceipt {
  readonly files: number;
  readonly file_bytes: number;
}

/** How many are retried now */
export interface DropRetried {
  /** that are retried now */
  readonly files: number;
  /** how many are left for another such request */
  readonly left: number;
}

/** one of rtsp, rtmp, hls, mjpeg, usb, video */
export type StreamSourceKind = 'rtsp' | 'rtmp' | 'hls' | 'mjpeg' | 'usb' | 'video';

export interface StreamSubstream {
  /** without credentials; what is secret in it is *** */
  readonly address: string;
  readonly username: string | null;
  readonly has_password: boolean;
  /** of RTSP */
  readonly transport: 'tcp' | 'udp';
}

/** Where the frames of a stream come from, without what is secret */
export interface StreamSource {
  readonly kind: StreamSourceKind;
  /**
   * without credentials; what is secret in it is ***
   * @example rtsp://192.168.1.20/stream1
   */
  readonly address: string | null;
  readonly username: string | null;
  readonly has_password: boolean;
  /** of RTSP */
  readonly transport: 'tcp' | 'udp';
  readonly device: string | null;
  readonly video_id: number | null;
  readonly certificate_unchecked: boolean;
  readonly substream: StreamSubstream | null;
}

export interface StreamClassFilter {
  /** a class of the model, such as "person" */
  readonly label: string;
  /** a score from 0 to 1; min_score of the settings unless given */
  readonly min_score: number;
  /** the smallest box as a fraction of the image, from 0 to 1; 0 unless given */
  readonly min_area: number;
}

export interface StreamZone {
  /** a name of 1 to 60 characters */
  readonly name: string;
  /** a list of three or more corners [x, y] in fractions of the image, from 0 to 1 */
  readonly polygon: readonly (readonly [number, number])[];
  /** classes that can enter the zone; none, or left out, for all */
  readonly classes: readonly string[];
}

/** What is looked for in the frames of a stream, and what is kept of it */
export interface StreamSettings {
  /** the number or UID of a detector; null for that of the service */
  readonly model_id: string | null;
  /** frames a second to analyse, from 0.1 to 15 */
  readonly fps: number;
  /** true to decode key frames alone, which costs least; fps is the most then */
  readonly key_frames_only: boolean;
  /** the width in pixels, from 320 to 3840, to which wider frames are reduced */
  readonly max_width: number;
  /** what is looked for: a list of classes, objects, texts, faces */
  readonly parts: readonly RecognitionPart[];
  /** languages of the text; none for those of the service */
  readonly text_languages: readonly TextLanguage[];
  /** true to name people by the faces of a perception, which their consent may be needed for */
  readonly names_people: boolean;
  /** the perception that names come from; null for those that name people in general recognition */
  readonly perception_id: number | null;
  /** the score from 0 to 1 from which objects of other classes are followed */
  readonly min_score: number;
  /** at most 32 areas to leave out */
  readonly masks: readonly (readonly (readonly [number, number])[])[];
  /** true to analyse only while something moves, and now and then */
  readonly motion_gate: boolean;
  /** the fraction of the image that must change to count as motion, from 0 to 1 */
  readonly motion_min_area: number;
  /** seconds without moving after which an object is stationary */
  readonly stationary_after_seconds: number;
  /** when the stream runs; none for always */
  readonly schedule: readonly {
    /** days of the week, 0 for Sunday to 6 */
    readonly days: readonly number[];
    /** a time such as 07:30 */
    readonly from: string;
    /** a time such as 07:30 */
    readonly to: string;
  }[];
  /** the time zone of the schedule, such as Europe/Berlin */
  readonly time_zone: string;
  /** true to keep the best frame of each object */
  readonly snapshots: boolean;
  /** true to keep a clip of each object */
  readonly clips: boolean;
  /** seconds before the object appears */
  readonly clip_seconds_before: number;
  /** seconds after it is gone */
  readonly clip_seconds_after: number;
  /** the longest clip in seconds */
  readonly clip_max_seconds: number;
  /** days for which events, snapshots and clips are kept; null for those of the service */
  readonly keep_days: number | null;
  /** the classes that are followed; none for all of the model */
  readonly classes: readonly StreamClassFilter[];
  /** at most 32 zones */
  readonly zones: readonly StreamZone[];
}

/** connecting; running; frozen: all frames are the same; away: no frames come; resting: outside of its schedule; waiting: all places for streams are taken, and accounts take turns; stopped */
export type StreamState = 'connecting' | 'running' | 'frozen' | 'away' | 'resting' | 'waiting' | 'stopped';

/** A camera or another live source, and what is looked for in its frames */
export interface Stream {
  readonly id: number;
  readonly uid: string;
  /** @example entrance */
  readonly name: string;
  readonly enabled: boolean;
  readonly source: StreamSource;
  readonly settings: StreamSettings;
  /** how it is doing, seconds ago */
  readonly state: {
    readonly state: StreamState;
    /** for its owner; null while all is well */
    readonly reason: string | null;
    /** Format: date-time */
    readonly since: string;
    /** frames that are analysed in a second */
    readonly fps: number;
    /** of its frames, in pixels */
    readonly width: number | null;
    /** of its frames, in pixels */
    readonly height: number | null;
    readonly last_frame_at: string | null;
  };
  /** Format: date-time */
  readonly created_at: string;
}

export interface StreamSubstreamInput {
  /** an address such as rtsp://192.168.1.20/stream1 */
  readonly address: string;
  /** a user name of at most 200 characters, control characters not among them, or null */
  readonly username?: string | null;
  /** a password of at most 200 characters, control characters not among them; null for none; left out, it stays while host and user name do */
  readonly password?: string | null;
  /** tcp or udp, for RTSP; null for tcp */
  readonly transport?: ('tcp' | 'udp') | null;
}

/** an object with kind (rtsp, rtmp, hls, mjpeg, usb, video) and what that kind takes */
export interface StreamSourceInput {
  readonly kind: StreamSourceKind;
  /** an address such as rtsp://192.168.1.20/stream1; null for usb and video */
  readonly address?: string | null;
  /** a user name of at most 200 characters, control characters not among them, or null */
  readonly username?: string | null;
  /** a password of at most 200 characters, control characters not among them; null for none; left out, it stays while host and user name do */
  readonly password?: string | null;
  /** tcp or udp, for RTSP; null for tcp */
  readonly transport?: ('tcp' | 'udp') | null;
  /** the path of a device, for usb, such as /dev/video0 */
  readonly device?: string | null;
  /** the number of a video of the account, for video */
  readonly video_id?: number | null;
  /** true for a camera whose certificate nobody signed */
  readonly certificate_unchecked?: boolean;
  /** a second, smaller stream of the same camera, which is analysed in place of the first; null for none */
  readonly substream?: StreamSubstreamInput | null;
}

export interface StreamClassFilterInput {
  /** a class of the model, such as "person" */
  readonly label: string;
  /** a score from 0 to 1; min_score of the settings unless given */
  readonly min_score?: number;
  /** the smallest box as a fraction of the image, from 0 to 1; 0 unless given */
  readonly min_area?: number;
}

export interface StreamZoneInput {
  /** a name of 1 to 60 characters */
  readonly name: string;
  /** a list of three or more corners [x, y] in fractions of the image, from 0 to 1 */
  readonly polygon: readonly (readonly [number, number])[];
  /** classes that can enter the zone; none, or left out, for all */
  readonly classes?: readonly string[];
}

/** an object with the settings that shall be otherwise */
export interface StreamSettingsInput {
  /** the number or UID of a detector; null for that of the service */
  readonly model_id?: string | number | null;
  /** frames a second to analyse, from 0.1 to 15 */
  readonly fps?: number;
  /** true to decode key frames alone, which costs least; fps is the most then */
  readonly key_frames_only?: boolean;
  /** the width in pixels, from 320 to 3840, to which wider frames are reduced */
  readonly max_width?: number;
  /** what is looked for: a list of classes, objects, texts, faces */
  readonly parts?: readonly RecognitionPart[];
  /** languages of the text; none for those of the service */
  readonly text_languages?: readonly TextLanguage[];
  /** true to name people by the faces of a perception, which their consent may be needed for */
  readonly names_people?: boolean;
  /** the perception that names come from; null for those that name people in general recognition */
  readonly perception_id?: number | null;
  /** the score from 0 to 1 from which objects of other classes are followed */
  readonly min_score?: number;
  /** at most 32 areas to leave out */
  readonly masks?: readonly (readonly (readonly [number, number])[])[];
  /** true to analyse only while something moves, and now and then */
  readonly motion_gate?: boolean;
  /** the fraction of the image that must change to count as motion, from 0 to 1 */
  readonly motion_min_area?: number;
  /** seconds without moving after which an object is stationary */
  readonly stationary_after_seconds?: number;
  /** when the stream runs; none for always */
  readonly schedule?: readonly {
    /** days of the week, 0 for Sunday to 6 */
    readonly days: readonly number[];
    /** a time such as 07:30 */
    readonly from: string;
    /** a time such as 07:30 */
    readonly to: string;
  }[];
  /** the time zone of the schedule, such as Europe/Berlin */
  readonly time_zone?: string;
  /** true to keep the best frame of each object */
  readonly snapshots?: boolean;
  /** true to keep a clip of each object */
  readonly clips?: boolean;
  /** seconds before the object appears */
  readonly clip_seconds_before?: number;
  /** seconds after it is gone */
  readonly clip_seconds_after?: number;
  /** the longest clip in seconds */
  readonly clip_max_seconds?: number;
  /** days for which events, snapshots and clips are kept; null for those of the service */
  readonly keep_days?: number | null;
  /** the classes that are followed; none for all of the model */
  readonly classes?: readonly StreamClassFilterInput[];
  /** at most 32 zones */
  readonly zones?: readonly StreamZoneInput[];
}

/** What was deleted, for good */
export interface StreamReceipt {
  readonly tracks: number;
  readonly files: number;
  readonly file_bytes: number;
}

/** What came of it */
export interface TestedStreamSource {
  /** whether a frame came, of the substream too where there is one */
  readonly ok: boolean;
  /** what to fix, in words that may change; null when all is well */
  readonly reason: string | null;
  /** of what it sends, in pixels */
  readonly width: number | null;
  /** of what it sends, in pixels */
  readonly height: number | null;
  /** a frame as JPEG in base64, at most 1280 pixels wide */
  readonly frame: string | null;
}

/** A token for the live view of one stream, as view_token of its address */
export interface StreamViewToken {
  readonly token: string;
  /** Format: date-time */
  readonly expires_at: string;
}

/** one of start, update, end, zone_entered, zone_left, person_recognised, text_read */
export type StreamEventKind =
  | 'start'
  | 'update'
  | 'end'
  | 'zone_entered'
  | 'zone_left'
  | 'person_recognised'
  | 'text_read';

/** in pixels of a frame of this width and height */
export interface StreamBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

export interface StreamPerson {
  readonly id: number;
  readonly name: string;
  /** from 0 to 1, by all looks together */
  readonly score: number;
}

/** What happened to an object in a stream, and how it was then */
export interface StreamEvent {
  /** counted up in the account, in the order in which events are stored */
  readonly seq: number;
  readonly stream_id: number;
  readonly kind: StreamEventKind;
  /** Format: date-time */
  readonly at: string;
  readonly track_id: string | null;
  /** @example person */
  readonly label: string;
  /** from 0 to 1, as seen last */
  readonly score: number;
  /** from 0 to 1, at best */
  readonly top_score: number;
  readonly box: StreamBox;
  readonly width: number;
  readonly height: number;
  readonly stationary: boolean;
  readonly current_zones: readonly string[];
  readonly entered_zones: readonly string[];
  /** where the stream names people */
  readonly person: StreamPerson | null;
  readonly texts: readonly string[];
  /** Format: date-time */
  readonly started_at: string;
  /** Format: date-time */
  readonly last_seen_at: string;
  readonly ended_at: string | null;
  readonly has_snapshot: boolean;
  readonly has_clip: boolean;
  /** pixels a second, to the right and down */
  readonly velocity: {
    readonly x: number;
    readonly y: number;
  };
  /** of zone_entered and zone_left */
  readonly zone?: string;
  /** of text_read */
  readonly text?: string;
}

/** An object that was followed through the frames of a stream */
export interface StreamTrack {
  /** the id of a track */
  readonly id: string;
  readonly stream_id: number;
  /** @example person */
  readonly label: string;
  /** from 0 to 1, as seen last */
  readonly score: number;
  /** from 0 to 1, at best */
  readonly top_score: number;
  readonly box: StreamBox;
  readonly width: number;
  readonly height: number;
  readonly stationary: boolean;
  readonly current_zones: readonly string[];
  readonly entered_zones: readonly string[];
  /** where the stream names people */
  readonly person: StreamPerson | null;
  readonly texts: readonly string[];
  /** Format: date-time */
  readonly started_at: string;
  /** Format: date-time */
  readonly last_seen_at: string;
  readonly ended_at: string | null;
  readonly has_snapshot: boolean;
  readonly has_clip: boolean;
}

/** The track without the name, and what is remembered of its face */
export interface StreamRefusedPerson {
  readonly track: StreamTrack;
  readonly correction: {
    readonly id: number;
    readonly person_id: number;
    /** Format: date-time */
    readonly created_at: string;
  } | null;
  /** why there is no correction */
  readonly reason: string | null;
}

export interface WebhookSettings {
  readonly kind: 'webhook';
  /** an http or https address without user name or query; a query is a secret of its own */
  readonly url: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own; null for known authorities */
  readonly certificate: string | null;
  /** true to take any certificate of the server's; whoever is between reads what is sent */
  readonly certificate_unchecked: boolean;
  /** numbers of streams; none for all */
  readonly streams: readonly number[];
  /** kinds of events, of start, update, end, zone_entered, zone_left, person_recognised, text_read; none for all */
  readonly kinds: readonly StreamEventKind[];
  /** classes such as "person"; none for all */
  readonly labels: readonly string[];
}

export interface MqttSettings {
  readonly kind: 'mqtt';
  /** an address such as mqtt://192.168.1.10 or mqtts://broker.example:8883, without user name */
  readonly url: string;
  /** a user name of 1 to 200 characters, or null */
  readonly username: string | null;
  /** the name of this client at the broker, which no other may have; null for one of its own */
  readonly client_id: string | null;
  /** a beginning of topics without + and #, lynceus unless given */
  readonly prefix: string;
  /** true (the default) for states, counts and snapshots that the broker keeps for who comes later */
  readonly retain: boolean;
  /** true to publish the image of each object */
  readonly snapshots: boolean;
  /** true to publish as Frigate does as well */
  readonly frigate: boolean;
  /** a beginning of topics without + and #, frigate unless given */
  readonly frigate_prefix: string;
  /** true to be found by Home Assistant (MQTT discovery) */
  readonly home_assistant: boolean;
  /** a beginning of topics without + and #, homeassistant unless given */
  readonly discovery_prefix: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own; null for known authorities */
  readonly certificate: string | null;
  /** true to take any certificate of the server's; whoever is between reads what is sent */
  readonly certificate_unchecked: boolean;
  /** numbers of streams; none for all */
  readonly streams: readonly number[];
  /** kinds of events, of start, update, end, zone_entered, zone_left, person_recognised, text_read; none for all */
  readonly kinds: readonly StreamEventKind[];
  /** classes such as "person"; none for all */
  readonly labels: readonly string[];
}

/** Where events of streams are sent, without what is secret */
export type StreamOutputSettings = WebhookSettings | MqttSettings;

/** Where events of streams are sent: a webhook, or an MQTT broker */
export interface StreamOutput {
  readonly id: number;
  readonly uid: string;
  /** @example home automation */
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: StreamOutputSettings;
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
  /** number of the last event of the account that was delivered, or is not for this output */
  readonly delivered_seq: number;
  readonly failing_since: string | null;
  /** why it failed last, in words that may change; null while all is well */
  readonly error: string | null;
  /** events that were given up */
  readonly given_up: number;
  /** Format: date-time */
  readonly created_at: string;
}

export interface WebhookSettingsInput {
  readonly kind: 'webhook';
  /** an http or https address without user name or query; a query is a secret of its own */
  readonly url?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own; null for known authorities */
  readonly certificate?: string | null;
  /** true to take any certificate of the server's; whoever is between reads what is sent */
  readonly certificate_unchecked?: boolean;
  /** numbers of streams; none for all */
  readonly streams?: readonly number[];
  /** kinds of events, of start, update, end, zone_entered, zone_left, person_recognised, text_read; none for all */
  readonly kinds?: readonly StreamEventKind[];
  /** classes such as "person"; none for all */
  readonly labels?: readonly string[];
}

export interface MqttSettingsInput {
  readonly kind: 'mqtt';
  /** an address such as mqtt://192.168.1.10 or mqtts://broker.example:8883, without user name */
  readonly url?: string;
  /** a user name of 1 to 200 characters, or null */
  readonly username?: string | null;
  /** the name of this client at the broker, which no other may have; null for one of its own */
  readonly client_id?: string | null;
  /** a beginning of topics without + and #, lynceus unless given */
  readonly prefix?: string;
  /** true (the default) for states, counts and snapshots that the broker keeps for who comes later */
  readonly retain?: boolean;
  /** true to publish the image of each object */
  readonly snapshots?: boolean;
  /** true to publish as Frigate does as well */
  readonly frigate?: boolean;
  /** a beginning of topics without + and #, frigate unless given */
  readonly frigate_prefix?: string;
  /** true to be found by Home Assistant (MQTT discovery) */
  readonly home_assistant?: boolean;
  /** a beginning of topics without + and #, homeassistant unless given */
  readonly discovery_prefix?: string;
  /** certificates in PEM: of the authority that signed the server's, or the server's own; null for known authorities */
  readonly certificate?: string | null;
  /** true to take any certificate of the server's; whoever is between reads what is sent */
  readonly certificate_unchecked?: boolean;
  /** numbers of streams; none for all */
  readonly streams?: readonly number[];
  /** kinds of events, of start, update, end, zone_entered, zone_left, person_recognised, text_read; none for all */
  readonly kinds?: readonly StreamEventKind[];
  /** classes such as "person"; none for all */
  readonly labels?: readonly string[];
}

/** an object with kind (webhook or mqtt) and what that kind takes */
export type StreamOutputSettingsInput = WebhookSettingsInput | MqttSettingsInput;

/** an object with secrets of this kind; those left out stay as they are while the receiver stays the same */
export interface StreamOutputSecrets {
  /** the key of the signature, of 16 to 200 characters; one is made unless given */
  readonly signing_key?: string;
  /** a token of ASCII characters that is sent as Authorization: Bearer */
  readonly token?: string;
  /** what comes after ? in the address, with %20 and the like for spaces and for what is not ASCII */
  readonly query?: string;
  /** a password of 1 to 500 characters */
  readonly password?: string;
}

/** The output as it was made */
export interface NewStreamOutput {
  readonly id: number;
  readonly uid: string;
  /** @example home automation */
  readonly name: string;
  readonly enabled: boolean;
  readonly settings: StreamOutputSettings;
  /** which secrets are kept; never what they are */
  readonly secrets: readonly string[];
  /** number of the last event of the account that was delivered, or is not for this output */
  readonly delivered_seq: number;
  readonly failing_since: string | null;
  /** why it failed last, in words that may change; null while all is well */
  readonly error: string | null;
  /** events that were given up */
  readonly given_up: number;
  /** Format: date-time */
  readonly created_at: string;
  /** the key of the signatures, where one was made: shown here and never again */
  readonly signing_key: string | null;
}

/** What came of it */
export interface StreamOutputVerdict {
  /** whether the receiver has the test event */
  readonly ok: boolean;
  /** where it was sent */
  readonly where: string | null;
  /** null when all is well */
  readonly problem:
    | (
        | 'unreachable'
        | 'not-allowed'
        | 'credentials'
        | 'identity'
        | 'refused'
        | 'full'
        | 'exists'
        | 'mismatch'
        | 'settings'
      )
    | null;
  /** what to fix, in words that may change */
  readonly message: string | null;
  readonly duration_ms: number;
}

/** What is looked for in the frames of a video */
export interface VideoSettings {
  /** the number or UID of a detector; null for that of the service */
  readonly model_id: string | null;
  /** frames a second to analyse, from 0.1 to 15 */
  readonly fps: number;
  /** the width in pixels, from 320 to 3840, to which wider frames are reduced */
  readonly max_width: number;
  /** what is looked for: a list of classes, objects, texts, faces */
  readonly parts: readonly RecognitionPart[];
  /** languages of the text; none for those of the service */
  readonly text_languages: readonly TextLanguage[];
  /** true to name people by the faces of a perception, which their consent may be needed for */
  readonly names_people: boolean;
  /** the perception that names come from; null for those that name people in general recognition */
  readonly perception_id: number | null;
  /** the score from 0 to 1 from which objects of other classes are followed */
  readonly min_score: number;
  /** the classes that are followed; none for all of the model */
  readonly classes: readonly StreamClassFilter[];
}

export interface VideoInfo {
  readonly duration_seconds: number;
  /** in pixels, as it is shown */
  readonly width: number;
  readonly height: number;
  /** @example h264 */
  readonly codec: string;
  /** frames a second on average; 0: the file does not say */
  readonly fps: number;
}

/** A video file, and what is looked for in it */
export interface Video {
  readonly id: number;
  readonly uid: string;
  /** @example entrance.mp4 */
  readonly name: string;
  /** where it is fetched from, without what is secret in it; null for an upload */
  readonly address: string | null;
  readonly settings: VideoSettings;
  /** of the latest work on it */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** whether a timeline can be read; while it is analysed again, that of before */
  readonly has_timeline: boolean;
  /** the work on it: how far it is, or why it failed; null 90 days after its end */
  readonly job: Job | null;
  /** null while it is fetched */
  readonly file: {
    readonly media_type: string;
    readonly bytes: number;
  } | null;
  /** null before it was looked at */
  readonly info: VideoInfo | null;
  /** Format: date-time */
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** an object with the settings that shall be otherwise than usual */
export interface VideoSettingsInput {
  /** the number or UID of a detector; null for that of the service */
  readonly model_id?: string | number | null;
  /** frames a second to analyse, from 0.1 to 15 */
  readonly fps?: number;
  /** the width in pixels, from 320 to 3840, to which wider frames are reduced */
  readonly max_width?: number;
  /** what is looked for: a list of classes, objects, texts, faces */
  readonly parts?: readonly RecognitionPart[];
  /** languages of the text; none for those of the service */
  readonly text_languages?: readonly TextLanguage[];
  /** true to name people by the faces of a perception, which their consent may be needed for */
  readonly names_people?: boolean;
  /** the perception that names come from; null for those that name people in general recognition */
  readonly perception_id?: number | null;
  /** the score from 0 to 1 from which objects of other classes are followed */
  readonly min_score?: number;
  /** the classes that are followed; none for all of the model */
  readonly classes?: readonly StreamClassFilter[];
}

/** What was deleted, for good */
export interface VideoReceipt {
  /** of the video, its thumbnails and its timeline */
  readonly file_bytes: number;
}

export interface TimelineInterval {
  /** when it begins, in seconds from the beginning */
  readonly start_seconds: number;
  /** when it ends, in seconds from the beginning */
  readonly end_seconds: number;
}

export interface TimelineTrack {
  /** unique in the timeline */
  readonly id: number;
  /** @example person */
  readonly label: string;
  /** the best of its scores, 0 to 1 */
  readonly score: number;
  /** when it begins, in seconds from the beginning */
  readonly start_seconds: number;
  /** when it ends, in seconds from the beginning */
  readonly end_seconds: number;
  /** when it is seen best, in seconds from the beginning */
  readonly best_seconds: number;
  /** where it is then, in pixels of the video */
  readonly box: {
    readonly x_min: number;
    readonly y_min: number;
    readonly x_max: number;
    readonly y_max: number;
  };
  /** null for a stranger, and for a person who was deleted */
  readonly person: {
    readonly id: number;
    readonly name: string;
    readonly score: number;
  } | null;
  /** read on it */
  readonly texts: readonly string[];
  /** of …/thumbnails/; null where there is none */
  readonly thumbnail: string | null;
}

/** What was found when in a video */
export interface VideoTimeline {
  readonly video: VideoInfo;
  /** whether there was more than a timeline holds */
  readonly is_cut: boolean;
  readonly people: readonly {
    readonly person: {
      readonly id: number;
      readonly name: string;
    };
    readonly intervals: readonly TimelineInterval[];
  }[];
  readonly texts: readonly {
    readonly text: string;
    readonly intervals: readonly TimelineInterval[];
  }[];
  readonly classes: readonly {
    readonly label: string;
    readonly intervals: readonly TimelineInterval[];
  }[];
  readonly image_classes: readonly {
    readonly label: string;
    readonly intervals: readonly TimelineInterval[];
  }[];
  /** objects, in the order in which they appear */
  readonly tracks: readonly TimelineTrack[];
}

export interface FaceCandidate {
  readonly person_id: number;
  readonly name: string;
  /** of the person */
  readonly key_id: string | null;
  /** the most similar image of the person */
  readonly image_id: number;
  /** 0 to 1, calibrated */
  readonly similarity: number;
  /** whether it reaches the decision point of the perception */
  readonly is_match: boolean;
  /** whether the face or the image is blurred, covered, or has uncertain eyes, nose and mouth, or both are doubtful: such faces resemble each other, and the similarity ends below the decision point */
  readonly is_degraded: boolean;
}

export interface JudgedFace {
  readonly box: FaceBox;
  /** of the detector, 0 to 1 */
  readonly score: number;
  readonly quality: FaceQuality;
  /** probability of a living face; null unless the perception wants it */
  readonly liveness: number | null;
  readonly verdict: 'match' | 'unsure' | 'unknown';
  /** similarity of the best candidate less that of the second; null without candidates */
  readonly margin: number | null;
  /** how likely a stranger would be this similar to one of the people searched; null without candidates */
  readonly false_match_rate: number | null;
  /** best first, one a person, at most ten, below the decision point too */
  readonly candidates: readonly FaceCandidate[];
}

/** The faces of the image, and who they may be */
export interface FaceMatches {
  readonly image: {
    readonly kind: string;
    readonly width: number;
    readonly height: number;
  };
  /** the largest first */
  readonly faces: readonly JudgedFace[];
}

/** What was made of the archive */
export interface ImportReceipt {
  readonly perception: Perception;
  readonly people: number;
  readonly images: number;
  /** of these images; all of them where the archive's embedder is not installed */
  readonly re_embedded: number;
  /** images in whose image the embedder at hand finds no face where the archive has one */
  readonly left_out: number;
}

export interface Liveness {
  readonly status: 'ok';
}

/** Whether the service can work, and what is missing */
export interface Readiness {
  readonly ready: boolean;
  /** ready, while a component is degraded */
  readonly status?: 'degraded';
  readonly components: readonly {
    readonly name: string;
    readonly ready: boolean;
    /** ready, although something is missing for now: reason says what */
    readonly status?: 'degraded';
    /** what is missing */
    readonly reason?: string;
    /** what an operator should look at, though it is ready */
    readonly notices?: readonly string[];
  }[];
}

/** Every one that the service of this version knows. */
export const auditActions = [
  'session.create',
  'session.refuse',
  'sessions.end',
  'sessions.end_all',
  'user.change',
  'user.password',
  'links.reset',
  'totp.enable',
  'totp.disable',
  'totp.renew_recovery_codes',
  'totp.refuse',
  'members.join',
  'members.change',
  'members.remove',
  'invitations.create',
  'invitations.withdraw',
  'accounts.create',
  'accounts.change',
  'accounts.delete',
  'accounts.undelete',
  'compat_listeners.create',
  'compat_listeners.delete',
  'keys.create',
  'keys.change',
  'keys.revoke',
  'sweeps.confirm',
  'files.delete',
  'perceptions.create',
  'perceptions.change',
  'perceptions.delete',
  'perceptions.import',
  'perceptions.calibrate',
  'perceptions.change_embedder',
  'perceptions.cancel_embedder',
  'perceptions.forget_embedders',
  'people.create',
  'people.change',
  'people.delete',
  'people.merge',
  'face_images.create',
  'face_images.re_embed',
  'face_images.delete',
  'face_images.move',
  'corrections.create',
  'corrections.delete',
  'datasets.create',
  'datasets.change',
  'datasets.delete',
  'datasets.split',
  'datasets.import',
  'classes.create',
  'classes.change',
  'classes.merge',
  'classes.delete',
  'dataset_images.create',
  'dataset_images.label',
  'dataset_images.delete',
  'models.create',
  'models.change',
  'models.delete',
  'models.switch',
  'models.train',
  'models.compare',
  'versions.create',
  'versions.change',
  'versions.delete',
  'drops.create',
  'drops.change',
  'drops.delete',
  'drops.renew_key',
  'drops.test',
  'drops.retry',
  'drop_files.retry',
  'drop_files.delete',
  'streams.create',
  'streams.change',
  'streams.test',
  'streams.delete',
  'stream_tracks.delete',
  'stream_tracks.not_person',
  'stream_outputs.create',
  'stream_outputs.change',
  'stream_outputs.delete',
  'stream_outputs.test',
  'videos.create',
  'videos.analyse',
  'videos.delete',
  'jobs.cancel',
] as const satisfies readonly AuditAction[];
