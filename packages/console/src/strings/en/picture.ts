export const picture = {
  choose_one: 'Choose a picture',
  choose_other: 'Choose pictures',
  drop_one: 'Drop a picture here, or click to choose one',
  drop_other: 'Drop pictures here, or click to choose them',
  dropHint: 'JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC, AVIF. You can also paste one.',
  address: 'https://… address of a picture',
  badAddress: 'This is no http or https address.',
  fetch: 'Fetch',
  camera: 'Camera',
  live: 'What the camera sees',
  take: 'Take the picture',
  taken_one: '{{count}} picture taken',
  taken_other: '{{count}} pictures taken',
  whichCamera: 'Which camera',
  noCamera: 'The camera cannot be used',
  cameraProblem: {
    insecure: 'Browsers open the camera only for pages over https, and on this machine itself.',
    forbidden:
      'The browser does not let this page use the camera. Allow it beside the address, and open this again.',
    none: 'No camera was found. Connect one and open this again.',
    busy: 'The camera does not answer. Another program may be using it.',
  },
  cannotShow:
    'Your browser cannot show this picture. The service has read it all the same: what it found is listed.',
};
