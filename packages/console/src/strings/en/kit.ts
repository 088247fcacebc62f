export const kit = {
  shownOnce: 'Copy it now: it is shown this once and never again.',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  acts: 'What can be done',
  pages: 'Pages of the list',
  page: 'Page {{number}}',
  newer: 'Newer',
  older: 'Older',
};
