import type { Browser, Page } from 'playwright-core';
import type { Service } from '../service.js';
import { administrator, signIn } from '../sign-in.js';
import type { Viewer } from './console-view.js';

/** Of a single step; the machine may be busy. */
const timeoutMs = 20_000;

/** A window for each kind of user; `errors` collects the errors of all of them. */
export interface OpenViewers {
  readonly pages: Readonly<Record<Viewer, Page>>;
  readonly errors: string[];
}

/** Signs in by the one-time link, invites a user, and creates a second account, which stays empty. */
export async function openViewers(browser: Browser, service: Service): Promise<OpenViewers> {
  const errors: string[] = [];
  const open = async (storageState?: Awaited<ReturnType<typeof signIn>>) => {
    const context = await browser.newContext({
      baseURL: service.url,
      ...(storageState ? { storageState } : {}),
    });
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
    });
    return page;
  };
  const pages = {
    administrator: await open(await signIn(browser, service)),
    reader: await open(),
    newcomer: await open(),
    visitor: await open(),
  };
  await signUp(pages.newcomer);
  await invite(pages.administrator);
  await join(pages.administrator, await open(), service);
  await joinAs('reader', pages.administrator, pages.reader, service);
  return { pages, errors };
}

async function signUp(page: Page): Promise<void> {
  await page.goto('/sign-up');
  await page
    .getByLabel('Name of the account')
    .fill('Observatory of the Holy Roman Empire at Göttingen, department of nebulae');
  await page.getByLabel('Your name').fill('Caroline Lucretia Herschel');
  await page.getByLabel('E-mail address').fill('caroline.lucretia.herschel@observatory.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('heading', { name: 'Try it' }).waitFor();
}

/** Another user of the account, with a key and a drop. */
async function join(inviting: Page, guest: Page, service: Service): Promise<void> {
  await joinAs('owner', inviting, guest, service);
  await post(guest, service, '/api/keys', { name: 'West computing unit' });
  await post(guest, service, '/api/drops', { name: 'Wind tunnel' });
}

const guests = {
  owner: { name: 'Dorothy Vaughan', email: 'dorothy.vaughan@computing.example.com' },
  reader: { name: 'Christine Darden', email: 'christine.darden@computing.example.com' },
} as const;

/** Signs a guest in to the account of who invites. */
export async function joinAs(
  role: keyof typeof guests,
  inviting: Page,
  guest: Page,
  service: Pick<Service, 'url'>,
): Promise<void> {
  const { name, email } = guests[role];
  const { link } = await post(inviting, service, '/api/invitations', { email, role });
  const [, token] = String(link).split('#');
  await post(guest, service, '/api/links/use', { token, name, password: administrator.password });
}

async function post({ request }: Page, { url }: Pick<Service, 'url'>, path: string, data: object) {
  const session = await request.get(`${url}/api/session`);
  const { csrf_token: csrf = '' }: { csrf_token?: string } = await session.json();
  const answer = await request.post(url + path, { headers: { 'x-csrf-token': csrf, origin: url }, data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  const said: Readonly<Record<string, unknown>> = await answer.json();
  return said;
}

async function invite(page: Page): Promise<void> {
  const session = await page.request.get('/api/session');
  const { csrf_token: csrf }: { csrf_token: string } = await session.json();
  const headers = { 'x-csrf-token': csrf };
  for (const email of ['grace@example.com', 'katherine.johnson.of.flight.research@computing.example.com']) {
    const answer = await page.request.post('/api/invitations', { headers, data: { email, role: 'member' } });
    if (!answer.ok()) throw new Error(`no user was invited: ${await answer.text()}`);
  }
}
