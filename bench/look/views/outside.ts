import { allOf, type ConsoleView, fill, press } from '../console-view.js';

/** What stands before the sign-in. */
export const outside: readonly ConsoleView[] = [
  { name: 'sign-in', path: '/sign-in', eyes: 'nobody', shows: 'No account yet?' },
  {
    name: 'sign-in-refused',
    isVariant: true,
    path: '/sign-in',
    eyes: 'nobody',
    shows: /do not fit|not right|wrong|password/i,
    prepare: allOf(
      fill('E-mail address', 'nobody@example.com'),
      fill('Password', 'not the password'),
      press('Sign in'),
      (page) => page.getByRole('alert').waitFor(),
    ),
  },
  { name: 'sign-up', isVariant: true, path: '/sign-up', eyes: 'nobody', shows: 'Create an account' },
  {
    name: 'link-gone',
    path: '/welcome#no-such-link',
    eyes: 'nobody',
    shows: 'This link no longer works',
  },
];
