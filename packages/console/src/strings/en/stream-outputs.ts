export const streamOutputs = {
  title: 'Outputs',
};
