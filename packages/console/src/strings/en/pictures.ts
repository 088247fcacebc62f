/** How pictures come from a person. */
export const pictures = {
  dropOne: 'Drop a picture here, or paste one',
  dropMany: 'Drop pictures here, or paste them',
  choose_one: 'Choose a picture',
  choose_other: 'Choose pictures',
  camera: 'Camera',
  address: 'By address',
  addressLabel: 'Address of a picture',
  addressWrong: 'An address begins with https:// or http://',
  addressUse: 'Use it',
  live: 'What the camera sees',
  take: 'Take a picture',
  taken_one: '{{count}} picture taken',
  taken_other: '{{count}} pictures taken',
  whichCamera: 'Which camera',
  cameraHint: 'Look straight at the camera, in even light, so that the face fills the oval.',
  cameraFailed: 'There is no picture of a camera',
  cameraProblem: {
    insecure: 'Browsers give the camera only to pages that came by HTTPS. Ask for this one by HTTPS.',
    forbidden:
      'The browser does not let this page use the camera. Allow it beside the address, and open this again.',
    none: 'No camera was found. Connect one and open this again.',
    busy: 'The camera does not answer. Another program may be using it.',
  },
  notShown: 'This picture cannot be shown here',
};
