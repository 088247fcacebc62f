export const picture = {
  choose: 'Choose a picture',
  drop: 'Drop a picture here, or click to choose one',
  dropHint: 'JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC, AVIF. You can also paste one.',
  address: 'https://… address of a picture',
  badAddress: 'This is no http or https address.',
  fetch: 'Fetch',
  camera: 'Camera',
  live: 'What the camera sees',
  take: 'Take the picture',
  noCamera: 'The camera cannot be used',
  cameraNeedsTls: 'Browsers open the camera only for pages over https, and on this machine itself.',
  cannotShow:
    'Your browser cannot show this picture. The service has read it all the same: what it found is listed.',
  kinds: { object: 'Objects', face: 'Faces', text: 'Texts', class: 'Classes' },
  filter: 'Show from {{percent}} % on',
  filterLabel: 'Show from this score on',
  nothing: 'Nothing was found.',
};
