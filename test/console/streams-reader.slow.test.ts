import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsk } from '#bench/ask.js';
import { joinAs } from '#bench/look/open-viewers.js';
import { insertTracks } from '#bench/look/stream-records.js';
import { type Service, startService } from '#bench/service.js';
import { haveChromium } from '../support/chromium.js';
import { type OpenConsole, openConsole } from './open-console.js';

describe.skipIf(!haveChromium())(
  'pages of cameras for a reader, without ffmpeg',
  { timeout: 300_000 },
  () => {
    let service: Service;
    let console: OpenConsole;
    let page: Page;
    let errors: string[];

    beforeAll(async () => {
      service = await startService({
        LYNCEUS_FFMPEG_PATH: '/nowhere/ffmpeg',
        LYNCEUS_INFERENCE_PROCESSES: '1',
      });
      const ask = createAsk(service);
      const settings = {
        zones: [
          {
            name: 'gate',
            classes: [],
            polygon: [
              [0, 0],
              [1, 0],
              [1, 1],
            ],
          },
        ],
      };
      const source = { kind: 'rtsp', address: 'rtsp://192.168.77.20/stream1', username: 'viewer' };
      const substream = { address: 'rtsp://192.168.77.20/stream2' };
      await ask('POST', '/api/streams', { name: 'Yard', source: { ...source, substream }, settings });
      const hook = { kind: 'webhook', url: 'http://127.0.0.1:2999/events' };
      await ask('POST', '/api/stream-outputs', { name: 'Night watch', settings: hook, enabled: false });
      const { id: accountId } = await ask('GET', '/api/account');
      const track = {
        accountId: Number(accountId),
        streamId: 1001,
        label: 'person',
        startedAtMs: Date.now(),
      };
      const { model_id: perceptionId } = await ask('POST', '/api/perceptions', { name: 'Staff' });
      const people = `/api/perceptions/${perceptionId}/people`;
      const { id: personId } = await ask('POST', people, { name: 'Ada Lovelace' });
      const person = { personId: Number(personId), name: 'Ada Lovelace', score: 0.9 };
      await insertTracks(service, [{ ...track, person, kinds: ['start', 'person_recognised', 'end'] }]);
      console = await openConsole(service);
      const owner = await console.open('/streams');
      ({ page, errors } = await console.open('/help', { storageState: { cookies: [], origins: [] } }));
      await joinAs('reader', owner.page, page, service);
      // That nobody was signed in before; what that page still asked for ends with it.
      await page.goto(`${service.url}/help`);
      errors.splice(0);
    }, 300_000);
    afterAll(async () => {
      await console?.close();
      await service?.stop();
    });

    /** Opens a page that shows these words, and answers the names of what can be pressed in it. */
    const open = async (path: string, shows: string | RegExp): Promise<readonly string[]> => {
      await page.goto(service.url + path);
      await page.locator('main').getByText(shows).first().waitFor();
      return pressable('main');
    };
    const pressable = async (within: string): Promise<readonly string[]> => {
      const buttons = page.locator(within).getByRole('button', { disabled: false });
      const names = await buttons.evaluateAll((all) =>
        all.map((each) => each.getAttribute('aria-label') ?? each.textContent),
      );
      return names.map((name) => name ?? '').toSorted();
    };

    test('the list says that cameras are off, and what to install', async () => {
      expect(await open('/streams', 'Live streams are off')).toEqual([]);
      await page.getByText('ffmpeg is not there (/nowhere/ffmpeg); install it').first().waitFor();
      await page.getByRole('link', { name: 'What cameras need' }).click();
      await page.getByText('apt-get install ffmpeg').first().waitFor();
    });

    test('the page of a camera says the same, and offers a view link alone', async () => {
      expect(await open('/streams/1001', 'Live streams are off')).toEqual(['Copy a view link']);
      await page.getByRole('button', { name: 'Copy a view link' }).click();
      await page.getByRole('button', { name: 'Create the link' }).click();
      await page.getByText('It expires:').waitFor();
    });

    test.each([
      ['look', 'Speed and motion'],
      ['schedule', 'Without times it runs always'],
      ['recording', 'Keep a snapshot of each object'],
      ['source', 'Address of the second stream'],
    ])('the settings of %s are shown, and cannot be changed', async (tab, shows) => {
      expect(await open(`/streams/1001/${tab}`, shows)).toEqual(['Copy a view link']);
      const enabled = 'input:enabled:not([type=hidden]), select:enabled, textarea:enabled';
      expect(await page.locator('[role=tabpanel]').locator(enabled).count()).toBe(0);
      const slider = page.getByRole('slider').first();
      if ((await slider.count()) === 0) return;
      await slider.focus();
      await page.keyboard.press('ArrowRight');
      expect(await slider.getAttribute('aria-valuenow')).toBe('0.5');
    });

    test('zones are looked at, by mouse and keyboard, and stay as they are', async () => {
      expect(await open('/streams/1001/zones', 'gate')).toEqual(
        expect.arrayContaining(['New frame', 'gate, 3 corners']),
      );
      expect(await page.getByRole('button', { name: /Draw|Delete|Undo|Save|Discard/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'gate, 3 corners' }).focus();
      for (const key of ['ArrowRight', 'Delete', 'Enter']) await page.keyboard.press(key);
      expect(await page.getByRole('button', { name: /^Corner/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'gate, 3 corners' }).waitFor();
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Name' }).isEditable()).toBe(false);
    });

    test('events are looked at, and neither deleted nor denied', async () => {
      await open('/stream-events', 'Ada Lovelace');
      await page.getByRole('button', { name: 'Ada Lovelace' }).click();
      await page.getByText('Recognised as Ada Lovelace').waitFor();
      expect(await pressable('[role=dialog]')).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/Delete|Not /)]),
      );
    });

    test('outputs are looked at', async () => {
      expect(await open('/stream-outputs', 'Night watch')).toEqual([]);
    });

    test('nothing that the pages asked for was refused', () => {
      expect(errors).toEqual([]);
    });
  },
);
