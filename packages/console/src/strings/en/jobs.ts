export const jobs = {
  waiting: 'Waiting',
  doneOf: '{{done}} of {{total}}',
  left: 'about {{time}} left',
  cancel: 'Cancel',
  state: { waiting: 'Waiting', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
};
