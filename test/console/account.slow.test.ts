import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { administrator } from '#bench/sign-in.js';
import { haveChromium } from '../support/chromium.js';
import { askAs, type OpenConsole, openConsole } from './open-console.js';

const hostile = '<img src=x onerror="document.title=1">';
const password = 'seven Violet ladders';

describe.skipIf(!haveChromium())('the account on the web account', { timeout: 300_000 }, () => {
  let service: Service;
  let console: OpenConsole;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    // Without models: these tests look at no image.
    service = await startService();
    console = await openConsole(service);
    ({ page, errors } = await console.open('/account'));
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const signIn = async (guest: Page, email: string, secret: string) => {
    await guest.goto(`${service.url}/sign-in`);
    await guest.getByLabel('E-mail address').fill(email);
    await guest.getByRole('textbox', { name: 'Password' }).fill(secret);
    await guest.getByRole('button', { name: 'Sign in' }).click();
  };

  test('a user is renamed, whatever the name', async () => {
    for (const name of [hostile, administrator.name]) {
      await page.getByRole('textbox', { name: 'Your name', exact: true }).fill(name);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: `Menu of ${name}` }).waitFor();
    }
    expect(await page.title()).toContain('Account');
  });

  test('a second factor is set up by its QR code or secret, is asked for at sign-in, and is turned off', async () => {
    await tab('Security');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill('not this one');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = await dialog.locator('code').innerText();
    await dialog.getByLabel('Code shown by the app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Code shown by the app').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = (await dialog.locator('pre').innerText()).split('\n');
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();

    const guest = await (await console.browser.newContext()).newPage();
    await signIn(guest, administrator.email, administrator.password);
    await guest.getByLabel('Code').fill('000000');
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await guest
      .getByRole('alert')
      .filter({ hasText: /wrong|fit/ })
      .waitFor();
    await guest.getByLabel('Code').fill(codes[0] ?? '');
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await guest.getByRole('button', { name: /Menu of/ }).waitFor();

    // The user sees a warning about the wrong code on every page until it is dismissed.
    await guest.getByText('1 wrong code was given with your password').waitFor();
    await guest.getByRole('link', { name: 'Change the password' }).click();
    await guest.getByRole('heading', { name: 'Second factor' }).waitFor();
    await guest.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => guest.getByText(/wrong code was given/).count()).toBe(0);

    await guest.getByRole('button', { name: 'New recovery codes' }).click();
    await guest
      .getByRole('dialog')
      .getByLabel('Code')
      .fill(codes[1] ?? '');
    await guest.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click();
    const newCodes = (await guest.getByRole('dialog').locator('pre').innerText()).split('\n');
    expect(newCodes).toHaveLength(10);
    await guest.getByRole('dialog').getByRole('button', { name: 'I have copied it' }).click();

    await page.reload();
    await page.getByRole('button', { name: /End the session/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /End the session/ }).count()).toBe(0);
    await guest.goto(`${service.url}/account`);
    await guest.waitForURL(/sign-in/);
    await guest.context().close();

    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
    await dialog.getByLabel('Code').fill(codes[2] ?? '');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Code').fill(newCodes[0] ?? '');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  test('a reset link asks a user with a second factor for a code', async () => {
    const invite = async (email: string) => {
      const guest = await (await console.browser.newContext()).newPage();
      await tab('Users');
      await page.getByRole('button', { name: 'Invite a user' }).click();
      await page.getByRole('dialog').getByLabel('Their e-mail address').fill(email);
      await page.getByRole('dialog').getByRole('button', { name: 'Create the link' }).click();
      const link = await page.getByRole('dialog').locator('pre').innerText();
      await page.getByRole('dialog').getByRole('button', { name: 'I have copied it' }).click();
      await guest.goto(link);
      await guest.getByLabel('Your name').fill('Mary');
      await guest.getByRole('textbox', { name: 'New password' }).fill(password);
      await guest.getByRole('button', { name: 'Begin' }).click();
      await guest.getByRole('button', { name: /Menu of/ }).waitFor();
      return guest;
    };
    const email = 'mary@example.com';
    const guest = await invite(email);
    await guest.goto(`${service.url}/account/security`);
    await guest.getByRole('button', { name: 'Set up' }).click();
    const dialog = guest.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = await dialog.locator('code').innerText();
    await dialog.getByLabel('Code shown by the app').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const [code = ''] = (await dialog.locator('pre').innerText()).split('\n');
    await guest.context().close();

    await page.goto(`${service.url}/admin/users`);
    await page.getByRole('searchbox').fill(email);
    await page.getByRole('button', { name: 'Reset link: Mary' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    const link = await page.locator('pre').filter({ hasText: '/welcome#' }).innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();

    const back = await (await console.browser.newContext()).newPage();
    await back.goto(link);
    await back.getByRole('textbox', { name: 'New password' }).fill('nine Paper lanterns');
    await back.getByLabel('Code').fill('000000');
    await back.getByRole('button', { name: 'Save the password' }).click();
    await back.getByRole('alert').waitFor();
    await back.getByLabel('Code').fill(code);
    await back.getByRole('button', { name: 'Save the password' }).click();
    await back.getByRole('button', { name: /Menu of/ }).waitFor();
    await back.getByText('1 wrong code was given with your password').waitFor();
    await back.context().close();
    await page.goto(`${service.url}/account/security`);
  });

  test('a password that is easy to guess is refused with a reason', async () => {
    const fill = async (wanted: string) => {
      await page.getByRole('textbox', { name: 'Current password' }).fill(administrator.password);
      await page.getByRole('textbox', { name: 'New password' }).fill(wanted);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await fill('password1');
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor();
    await fill('eleven Copper kites');
    await page.getByText('Your password is changed').waitFor();
  });

  test('a user is invited, has the rights of a reader, gets another role, and is removed', async () => {
    await tab('Users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Their e-mail address').fill('grace@example.com');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /Reader/ }).click();
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    const link = await dialog.locator('pre').innerText();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Open invitations').waitFor();

    const guest = await (await console.browser.newContext()).newPage();
    await guest.goto(link);
    await guest.getByLabel('Your name').fill('Grace');
    await guest.getByRole('textbox', { name: 'New password' }).fill(password);
    await guest.getByRole('button', { name: 'Begin' }).click();
    await guest.getByRole('link', { name: 'Account' }).click();
    await guest.getByText('You are reader of').waitFor();
    expect(await guest.getByRole('tab', { name: 'Users' }).count()).toBe(0);
    expect(await guest.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await guest.goto(`${service.url}/admin`);
    await guest.getByText('There is no such page').waitFor();
    await guest.goto(`${service.url}/drops`);
    await guest.getByText('No drops yet').waitFor();
    expect(await guest.getByRole('link', { name: 'Create a drop' }).count()).toBe(0);

    await page.reload();
    await page.getByRole('searchbox').fill('GRACE@');
    await expect.poll(() => page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(1);
    await page.getByRole('combobox', { name: 'Role of Grace' }).click();
    await page.getByRole('option', { name: /Member/ }).click();
    await guest.getByRole('link', { name: 'Account' }).click();
    // A reload before the new address stands would load the page before.
    await guest.waitForURL(/\/account/);
    await expect
      .poll(async () => {
        await guest.reload();
        // The page shows the role some time after it has loaded.
        return guest.getByText(/^You are \w+ of/).innerText();
      })
      .toContain('You are member of');
    // The window lists the keys of the user, and revokes those that are chosen.
    const theirs = await askAs(guest, service.url, '/api/keys', { name: 'till of Grace' });
    const drop = await askAs(guest, service.url, '/api/drops', { name: 'gate of Grace' });
    await page.getByRole('button', { name: 'Remove: Grace' }).click();
    const leaving = page.getByRole('dialog');
    await leaving.getByText('till of Grace').waitFor();
    await leaving.getByText('gate of Grace').waitFor();
    expect(await leaving.getByLabel('Revoke the keys that they created').isChecked()).toBe(true);
    expect(await leaving.getByLabel('Revoke the keys of drops too').isChecked()).toBe(false);
    await leaving.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Keys revoked: 1.').waitFor();
    const headers = { 'x-api-key': theirs.key };
    expect((await fetch(`${service.url}/api/account`, { headers })).status).toBe(401);
    const { data } = await askAs(page, service.url, '/api/keys');
    const dropKey = data.find(({ id }: { id: number }) => id === drop.key_id);
    expect(dropKey).toMatchObject({ revoked_at: null, created_by: { kind: 'user', name: null } });
    await page.getByText('No results for “GRACE@”').waitFor();
    await guest.reload();
    await guest.waitForURL(/sign-in/);
    await guest.context().close();
  });

  test('the log shows who made which change, and is filtered', async () => {
    await tab('Log');
    await page.getByRole('row', { name: /^members\.remove/ }).waitFor();
    await page.getByRole('combobox', { name: 'All actions' }).click();
    await page.getByRole('option', { name: 'invitations.create' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(await page.getByRole('row').nth(1).innerText()).toContain('grace@example.com');
  });

  test('signing out everywhere ends this session too', async () => {
    await page.goto(`${service.url}/account/security`);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL(/sign-in/);
    // Refused codes and passwords are errors of the browser's log.
    expect(errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
  });
});

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const periodMs = 30_000;

/** The current code for a secret in base 32, by RFC 6238: SHA-1, six digits, 30 seconds. */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / periodMs)));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
