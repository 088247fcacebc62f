export const tryIt = {
  title: 'Try it',
  text: 'Drop a picture here and see what your programs would get.',
};
