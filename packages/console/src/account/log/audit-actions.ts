/** What can be looked for in the log; those of the service that are not here are shown all the same. */
export const auditActions: readonly string[] = [
  ...['session.create', 'session.refuse', 'sessions.end', 'sessions.end_all'],
  ...['user.change', 'user.password', 'links.reset'],
  ...['totp.enable', 'totp.disable', 'totp.renew_recovery_codes', 'totp.refuse'],
  ...['members.join', 'members.change', 'members.remove', 'invitations.create', 'invitations.withdraw'],
  ...['keys.create', 'keys.change', 'keys.revoke', 'files.delete', 'jobs.cancel'],
  ...['perceptions.create', 'perceptions.change', 'perceptions.delete', 'perceptions.import'],
  ...['people.create', 'people.change', 'people.delete', 'people.merge'],
  ...[
    'face_images.create',
    'face_images.move',
    'face_images.delete',
    'corrections.create',
    'corrections.delete',
  ],
  ...['datasets.create', 'datasets.change', 'datasets.delete', 'datasets.import', 'datasets.split'],
  ...['classes.create', 'classes.change', 'classes.merge', 'classes.delete'],
  ...['dataset_images.create', 'dataset_images.label', 'dataset_images.delete'],
  ...['models.create', 'models.change', 'models.delete', 'models.train', 'models.switch', 'models.compare'],
  ...['versions.create', 'versions.change', 'versions.delete'],
  ...['drops.create', 'drops.change', 'drops.delete', 'drops.renew_key', 'drops.test', 'drops.retry'],
  ...['drop_files.retry', 'drop_files.delete', 'accounts.create', 'accounts.change'],
];
