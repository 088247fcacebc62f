/** What is done, by its subject. An action that is no more written stays here: entries of it are kept. */
const verbs = {
  session: ['create', 'refuse'],
  sessions: ['end', 'end_all'],
  user: ['change', 'password'],
  links: ['reset'],
  totp: ['enable', 'disable', 'renew_recovery_codes', 'refuse'],
  members: ['join', 'change', 'remove'],
  invitations: ['create', 'withdraw'],
  accounts: ['create', 'change', 'delete', 'undelete'],
  compat_listeners: ['create', 'delete'],
  keys: ['create', 'change', 'revoke'],
  sweeps: ['confirm'],
  files: ['delete'],
  perceptions: [
    'create',
    'change',
    'delete',
    'import',
    'calibrate',
    'change_embedder',
    'cancel_embedder',
    'forget_embedders',
  ],
  people: ['create', 'change', 'delete', 'merge'],
  face_images: ['create', 're_embed', 'delete', 'move'],
  corrections: ['create', 'delete'],
  datasets: ['create', 'change', 'delete', 'split', 'import'],
  classes: ['create', 'change', 'merge', 'delete'],
  dataset_images: ['create', 'label', 'delete'],
  models: ['create', 'change', 'delete', 'switch', 'train', 'compare'],
  versions: ['create', 'change', 'delete'],
  drops: ['create', 'change', 'delete', 'renew_key', 'test', 'retry'],
  drop_files: ['retry', 'delete'],
  streams: ['create', 'change', 'test', 'delete'],
  stream_tracks: ['delete', 'not_person'],
  stream_outputs: ['create', 'change', 'delete', 'test'],
  videos: ['create', 'analyse', 'delete'],
  jobs: ['cancel'],
} as const;

type Verbs = typeof verbs;

/** What an entry of the audit log says was done, such as `keys.create`. */
export type AuditAction = {
  [Subject in keyof Verbs]: `${Subject}.${Verbs[Subject][number]}`;
}[keyof Verbs];

/** Every action that the audit log may have, subject by subject. */
export const auditActions: readonly string[] = Object.entries(verbs).flatMap(([subject, all]) =>
  all.map((verb) => `${subject}.${verb}`),
);
