import { administrator } from '../../sign-in.js';
import { allOf, type ConsoleView, choose, fill, press } from '../console-view.js';

/** The account and the administration. */
export const account: readonly ConsoleView[] = [
  { name: 'account', path: '/account', shows: 'Results are kept' },
  {
    name: 'security',
    path: '/account/security',
    shows: 'Sign out everywhere',
    windows: [
      { name: 'second-factor', open: press('Set up'), shows: 'Confirm with your password' },
      {
        name: 'second-factor-code',
        open: allOf(
          press('Set up'),
          // The page has a field of the same name.
          (page) => page.getByText('Confirm with your password').waitFor(),
          fill('Current password', administrator.password),
          press('Continue'),
        ),
        shows: 'Code shown by the app',
      },
      { name: 'everywhere', open: press('Sign out everywhere'), shows: 'All your sessions end' },
    ],
  },
  {
    name: 'security-refused',
    isVariant: true,
    path: '/account/security',
    shows: 'Second factor',
    prepare: allOf(
      fill('Current password', administrator.password),
      fill('New password', 'password1'),
      press('Change the password'),
      (page) => page.getByRole('alert').waitFor(),
    ),
  },
  {
    name: 'members',
    path: '/account/users',
    shows: 'Open invitations',
    windows: [
      { name: 'invite', open: press('Invite a user'), shows: 'Create the link' },
      { name: 'remove', open: press('Remove: Dorothy Vaughan'), shows: 'Revoke the keys of drops too' },
      {
        name: 'demote',
        open: allOf(
          (page) => page.getByRole('combobox', { name: 'Role of Dorothy Vaughan' }).click(),
          (page) => page.getByRole('option', { name: /^Reader/ }).click(),
        ),
        shows: 'Revoke the keys that they created',
      },
      { name: 'withdraw', open: press(/^Withdraw the invitation/), shows: 'Its link stops working' },
      {
        name: 'invited',
        open: allOf(
          press('Invite a user'),
          fill('Their e-mail address', 'mary@example.com'),
          press('Create the link'),
        ),
        shows: 'Copy it now',
      },
    ],
  },
  { name: 'log', path: '/account/log', shows: 'drops.create' },
  {
    name: 'admin',
    path: '/admin',
    shows: 'Inference processes',
    windows: [{ name: 'confirm', open: press('Move 24 files to quarantine'), shows: 'up to date' }],
  },
  {
    name: 'admin-accounts',
    path: '/admin/accounts',
    shows: 'Observatory',
    windows: [
      { name: 'make', open: press('Create an account'), shows: 'New account' },
      {
        name: 'change',
        open: choose(/^Actions on Observatory/, 'Change'),
        shows: 'Days that results are kept',
      },
      {
        name: 'delete',
        open: choose(/^Actions on Observatory/, 'Delete'),
        shows: 'The name of the account, to confirm',
      },
    ],
  },
  {
    name: 'admin-users',
    path: '/admin/users',
    shows: 'Administrator',
    windows: [{ name: 'reset', open: press(/^Reset link: /), shows: 'The second factor stays' }],
  },
  { name: 'admin-models', isVariant: true, path: '/admin/models', shows: 'Default' },
  {
    name: 'admin-listeners',
    path: '/admin/listeners',
    shows: 'Cameras without a key',
    windows: [
      { name: 'open', open: press('Open a port'), shows: 'Open the port' },
      { name: 'close', open: press(/^Close port/), shows: 'Requests under way' },
    ],
  },
  { name: 'admin-settings', path: '/admin/settings', shows: 'LYNCEUS_PORT' },
];
