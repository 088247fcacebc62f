/** The first parts of the page's own addresses, as packages/console/src/shell/routes.tsx has them. */
export const pagePaths = [
  'sign-in',
  'sign-up',
  'welcome',
  'faces',
  'models',
  'datasets',
  'drops',
  'files',
  'usage',
  'keys',
  'account',
  'help',
  'admin',
] as const;
