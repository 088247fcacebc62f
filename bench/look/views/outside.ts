import { allOf, type ConsoleView, fill, press } from '../console-view.js';

/** What stands before the sign-in. */
export const outside: readonly ConsoleView[] = [
  { name: 'sign-in', path: '/sign-in', viewer: 'visitor', shows: 'No account yet?' },
  {
    name: 'sign-in-refused',
    isVariant: true,
    path: '/sign-in',
    viewer: 'visitor',
    shows: /do not fit|not right|wrong|password/i,
    prepare: allOf(
      fill('E-mail address', 'nobody@example.com'),
      fill('Password', 'not the password'),
      press('Sign in'),
      (page) => page.getByRole('alert').waitFor(),
    ),
  },
  { name: 'sign-up', isVariant: true, path: '/sign-up', viewer: 'visitor', shows: 'Create an account' },
  {
    name: 'link-gone',
    path: '/welcome#no-such-link',
    viewer: 'visitor',
    shows: 'This link no longer works',
  },
];
