export const help = {
  title: 'Help',
  text: 'The documentation of this version, from this service.',
  openApi: 'Every operation (OpenAPI)',
  search: 'Search the documentation',
  documents: 'Documents',
  none: 'There is no such document.',
  first: 'To the first one',
};
