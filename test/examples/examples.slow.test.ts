import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../hostile/certificates.js';
import { chromiumPath, haveChromium } from '../support/chromium.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';
import { samplePath } from '../support/sample.js';
import { startStandIn } from '../typed-client/stand-in.js';
import { expectSignBox, expectSignByBoth } from './expect-sign.js';
import { haveNodeRed, runFlow } from './node-red.js';
import { examplesDir, useExamples } from './use-examples.js';

const python = '/usr/bin/python3';
const shellPrograms = ['curl', 'jq', 'openssl'].map((name) => haveProgram(name, ['-h'], name));
const languages = [
  { folder: 'shell', command: 'sh', ending: 'sh', isHere: !shellPrograms.includes(false) },
  {
    ...{ folder: 'python', command: python, ending: 'py' },
    isHere: haveProgram(python, ['-c', 'import requests'], 'python3-requests'),
  },
  { folder: 'node', command: process.execPath, ending: 'mjs', isHere: true },
  {
    ...{ folder: 'php', command: 'php', ending: 'php' },
    isHere: haveProgram('php', ['-r', 'curl_version();'], 'php-cli php-curl'),
  },
];

describe.skipIf(!(await haveDefaultModels()))('of the examples', { timeout: 300_000 }, () => {
  const examples = useExamples();

  for (const { folder, command, ending, isHere } of languages) {
    const run = (name: string, words: readonly string[], env = {}) =>
      examples().run(command, [`${folder}/${name}.${ending}`, ...words], env);

    describe.skipIf(!isHere)(`those in ${folder}`, () => {
      test('find the sign and its text by both generations', async () => {
        expectSignByBoth(await run('recognise', [samplePath]));
      });

      test('enrol a face and know it again, also in a perception that exists', async () => {
        const [ada, group] = examples().faces;
        const [created = '', enrolled, ...rest] = await run('faces', ['Ada', ada, group]);
        expect([created, enrolled]).toEqual([expect.stringMatching(/^perception \d+$/), 'enrolled: added']);
        expect(rest.slice(-2)).toEqual(['faces: 1', expect.stringMatching(/^ {2}match: Ada (0\.[6-9]|1)/)]);
        const env = { PERCEPTION: created.replace('perception ', '') };
        const again = await run('faces', ['Zoë M & Co', group, samplePath], env);
        expect([again[0], again.at(-1)]).toEqual([created, 'faces: 0']);
      });

      test('upload to a drop, and to no server with another certificate', async () => {
        expect(await run('drop', [samplePath])).toEqual([
          expect.stringMatching(/^keywords: .*\bstop sign\b/),
        ]);
        const other = makeCertificate(examples().dir, folder, { subject: 'IP:127.0.0.1', days: 2 });
        const refused = run('drop', [samplePath], { FTP_CERTIFICATE: other.certPath });
        await expect(refused).rejects.toThrow(/certificate|public key/i);
      });

      test('end with the message of the service', async () => {
        await expect(run('recognise', [samplePath], { KEY: 'wrong' })).rejects.toThrow(/API key/);
        const env = { PERCEPTION: '77' };
        await expect(run('faces', ['Ada', samplePath, samplePath], env)).rejects.toThrow(/77 is not one of/);
        await expect(run('drop', [samplePath], { DROP: '77' })).rejects.toThrow(/77 is not one of/);
      });

      test('fail when no face was enrolled', async () => {
        const failed = run('faces', ['Ada', samplePath, samplePath]);
        await expect(failed).rejects.toThrow(/^enrolled: no-face$/m);
      });

      test('say what they lack', async () => {
        for (const name of ['recognise', 'faces', 'drop']) {
          await expect(run(name, [])).rejects.toThrow(/\bphoto\.jpg|\bgroup\.jpg/);
          const words = name === 'faces' ? ['Ada', samplePath, samplePath] : [samplePath];
          await expect(run(name, words, { KEY: '' })).rejects.toThrow(/^.*\bSet KEY\b/m);
        }
        const reason = /cannot be read|No such file|Unable to open|open\/read/;
        await expect(run('recognise', ['none'])).rejects.toThrow(reason);
      });

      test('upload to no service without FTP', async () => {
        const ftp = { host: 'a.example', port: null, user_name: 'desk' };
        const standIn = await startStandIn((_request, response) => response.end(JSON.stringify({ ftp })));
        onTestFinished(() => standIn.stop());
        const failed = run('drop', [samplePath], { BASE_URL: standIn.url });
        await expect(failed).rejects.toMatchObject({
          code: 1,
          stderr: 'the service has no FTP port: set LYNCEUS_FTP_PORT\n',
        });
      });
    });
  }

  test('that with the fetch of Node finds the same', async () => {
    const program = 'node/recognise-with-fetch.mjs';
    expectSignByBoth(await examples().run(process.execPath, [program, samplePath]));
    await expect(examples().run(process.execPath, [program])).rejects.toThrow(/^Name an image/m);
  });

  test('the answer that the README shows is that of the service', async () => {
    const readme = await readFile(join(examplesDir, '../README.md'), 'utf8');
    const { service } = examples();
    const body = new FormData();
    body.set('image', new Blob([await readFile(samplePath)]), 'image');
    const headers = { 'x-api-key': service.key };
    const answer = await fetch(`${service.url}/predict/image`, { method: 'POST', headers, body });
    const { predictions } = (await answer.json()) as {
      predictions: readonly { readonly class_title: string; readonly score: number }[];
    };
    const shown = [...readme.matchAll(/\{"class_title": "([^"]+)", "order": "\d"[^}]*"score": ([\d.]+)/g)];
    expect(shown.map(([, title]) => title)).toEqual(predictions.slice(0, 2).map((each) => each.class_title));
    for (const [at, [, , score]] of shown.entries()) {
      expect(Number(score)).toBeCloseTo(predictions[at]?.score ?? 0, 2);
    }
  });

  test.skipIf(!haveChromium())(
    'the page finds sign and people from another origin, and shows errors',
    async () => {
      const { env, faces, run } = examples();
      const [perception = ''] = await run(process.execPath, ['node/faces.mjs', 'Ada', ...faces]);
      // Root has no sandbox to go into; the page is our own.
      const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(`file://${join(examplesDir, 'browser/recognise.html')}`);
      await page.fill('[name=base]', env['BASE_URL'] ?? '');
      await page.fill('[name=perception]', perception.replace('perception ', ''));
      const ask = async (what: string, image: string, key = env['KEY'] ?? '') => {
        await page.fill('[name=key]', key);
        await page.selectOption('[name=what]', what);
        await page.setInputFiles('[name=image]', image);
        await page.click('button');
        const text = () => page.textContent('output');
        await expect.poll(text).not.toMatch(/^(Recognising …)?$/);
        const shown = await text();
        await page.evaluate("document.querySelector('output').textContent = ''");
        return shown;
      };
      expect(await ask('v1', samplePath)).toMatch(/^stop sign (1|0\.9\d*), “STOP”$/);
      expect(await ask('v2', samplePath)).toMatch(/^stop sign (1|0\.9\d*)$/);
      expect(await ask('faces', faces[1])).toMatch(/^Ada (1|0\.\d+)$/);
      expect(await ask('v1', samplePath, 'wrong')).toMatch(/^invalid_api_key: /);
    },
  );

  test.skipIf(!haveNodeRed())('the flow of Node-RED shows the sign', async () => {
    const { env, dir } = examples();
    const [found, ...more] = await runFlow(dir, { ...env, IMAGE: samplePath });
    expect([found?.title, more]).toEqual(['stop sign', []]);
    expectSignBox([found?.box.x1, found?.box.y1, found?.box.x2, found?.box.y2]);
  });
});
