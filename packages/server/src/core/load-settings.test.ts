import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainSettings } from './explain-settings.js';
import { parseLanguages } from './language-list.js';
import { isSecretSetting, loadSettings, settingNames } from './load-settings.js';
import { parseByteSize } from './parse-value.js';
import { environmentName } from './setting-names.js';

describe('settings', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'lynceus-config-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  const load = (env: Record<string, string> = {}) => loadSettings({ env, cwd });
  const writeFile = (content: unknown, name = 'lynceus.json') =>
    writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

  test('have safe defaults and cannot be changed once read', () => {
    const { settings } = load({ PATH: '/bin' });
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      maxImageBytes: 26_214_400,
      errorsAsOk: false,
    });
    expect(settings.dataDir).toBe(join(cwd, 'data'));
    expect(() => Object.assign(settings, { port: 1 })).toThrow();
  });

  test('come from the environment before the file before the defaults, and each says where from', () => {
    writeFile({ port: 1111, host: '0.0.0.0' });
    const { settings, sources } = load({ LYNCEUS_PORT: '2222' });
    expect(settings).toMatchObject({ port: 2222, host: '0.0.0.0', trialCalls: 1000 });
    expect(sources).toMatchObject({
      port: 'LYNCEUS_PORT',
      host: join(cwd, 'lynceus.json'),
      trialCalls: 'default',
    });
  });

  test('name a file by LYNCEUS_CONFIG, and its folders are relative to it', () => {
    mkdirSync(join(cwd, 'etc'));
    writeFile({ dataDir: 'mine', maxImageBytes: '10MiB', ftpCertificateFile: 'ftp.pem' }, 'etc/it.json');
    const { settings } = load({ LYNCEUS_CONFIG: 'etc/it.json', LYNCEUS_MODELS_DIR: 'models' });
    expect(settings).toMatchObject({
      dataDir: join(cwd, 'etc', 'mine'),
      modelsDir: join(cwd, 'models'),
      ftpCertificateFile: join(cwd, 'etc', 'ftp.pem'),
      maxImageBytes: 10 * 1024 * 1024,
    });
  });

  test('that are secrets are read from mounted files, whose content no message shows', () => {
    writeFile('postgres://one:hidden@db/lynceus\n', 'url');
    writeFile('', 'nothing');
    const { settings, sources } = load({ LYNCEUS_DATABASE_URL_FILE: 'url' });
    expect(settings.databaseUrl).toBe('postgres://one:hidden@db/lynceus');
    expect(sources['databaseUrl']).toBe('LYNCEUS_DATABASE_URL_FILE');
    expect(load({ LYNCEUS_DATABASE_URL_FILE: '' }).settings.databaseUrl).toBe('');
    const both = { LYNCEUS_DATABASE_URL: 'postgres://two@db/x', LYNCEUS_DATABASE_URL_FILE: 'url' };
    expect(() => load(both)).toThrow(/LYNCEUS_DATABASE_URL and LYNCEUS_DATABASE_URL_FILE are both set/);
    expect(() => load({ LYNCEUS_FIRST_KEY_FILE: 'missing' })).toThrow(
      /LYNCEUS_FIRST_KEY_FILE: missing cannot be read/,
    );
    expect(() => load({ LYNCEUS_FIRST_KEY_FILE: 'nothing' })).toThrow(/nothing is empty/);
    writeFile('mysql://one:hidden@db/lynceus', 'other');
    expect(() => load({ LYNCEUS_DATABASE_URL_FILE: 'other' })).toThrow(
      /^databaseUrl \(from LYNCEUS_DATABASE_URL_FILE\)(?!.*hidden)/,
    );
    expect(() => load({ LYNCEUS_PORT_FILE: 'url' })).toThrow(/LYNCEUS_PORT_FILE, which is no setting/);
  });

  test('name languages as requests do: in large or small letters, with spaces, and twice', () => {
    const settings = load({ LYNCEUS_TEXT_LANGUAGES: ' DE, Fr,de,' }).settings;
    expect(parseLanguages(settings.textLanguages)).toEqual(['de', 'fr']);
  });

  test('that would never leave enough space for a large image are refused together', () => {
    expect(() => load({ LYNCEUS_SPOOL_MAX_BYTES: '20MiB' })).toThrow(
      /spoolMaxBytes is 20971520.*Raise spoolMaxBytes/,
    );
    const small = { LYNCEUS_MAX_IMAGE_BYTES: '1MiB', LYNCEUS_MAX_JSON_BYTES: '2MiB' };
    expect(load({ ...small, LYNCEUS_SPOOL_MAX_BYTES: '20MiB' }).settings.spoolMaxBytes).toBe(
      20 * 1024 * 1024,
    );
  });

  test.each([
    ['LYNCEUS_PROT', '1', /LYNCEUS_PROT.*did you mean LYNCEUS_PORT\?/],
    ['LYNCEUS_SOMETHING_ELSE_ENTIRELY', '1', /which is no setting$/],
    ['LYNCEUS_MAX_PICTURE_BYTES', '1MiB', /is no setting; it is called LYNCEUS_MAX_IMAGE_BYTES now/],
    ['LYNCEUS_PORT', '80a', /port \(from LYNCEUS_PORT\) is "80a" but must be a whole number from 0 to 65535/],
    ['LYNCEUS_PORT', '70000', /from 0 to 65535/],
    ['LYNCEUS_PORT', '0x50', /whole number/],
    ['LYNCEUS_PORT', '8080.5', /whole number/],
    ['LYNCEUS_PORT', ' 8080', /whole number/],
    ['LYNCEUS_ERRORS_AS_OK', 'yes', /true or false/],
    ['LYNCEUS_MAX_IMAGE_BYTES', '25 sheep', /such as 25MiB/],
    ['LYNCEUS_LOG_LEVEL', 'loud', /trace, debug, info, warn, error or silent/],
    ['LYNCEUS_PATH_PREFIX', '/a/', /pathPrefix/],
    [
      'LYNCEUS_TEXT_LANGUAGES',
      'de,xx',
      /textLanguages \(from .*\) is "de,xx" but must be a list of cs, da, .*, tr, zh, separated by commas\.$/,
    ],
    ['LYNCEUS_CONFIG', 'missing.json', /missing\.json cannot be read/],
  ])('refuse %s=%s and say what to fix', (name, value, message) => {
    expect(() => load({ [name]: value })).toThrow(message);
  });

  test.each([
    ['{', /not valid JSON/],
    ['[]', /one JSON object/],
    ['{"prot": 1}', /no setting "prot"; did you mean port\?/],
    ['{"keepPictures": true}', /no setting "keepPictures"; it is called keepImages now/],
    ['{"port": true}', /port \(from .*lynceus\.json\) is true/],
    ['{"errorsAsOk": 1}', /true or false/],
    ['{"__proto__": {"port": 1}}', /no setting "__proto__"/],
    ['{"constructor": 1}', /no setting "constructor"/],
  ])('refuse a file that holds %s', (content, message) => {
    writeFile(content);
    expect(() => load()).toThrow(message);
  });

  test('report every problem at once', () => {
    expect(() => load({ LYNCEUS_PORT: 'x', LYNCEUS_PROT: '1', LYNCEUS_ERRORS_AS_OK: '2' })).toThrow(
      /LYNCEUS_PROT.*port.*errorsAsOk/s,
    );
  });

  test('never show the first key, neither when it is good nor when it is not', () => {
    const secret = 'a-secret-that-is-long-enough';
    const explained = explainSettings(load({ LYNCEUS_FIRST_KEY: secret }));
    expect(JSON.stringify(explained)).not.toContain(secret);
    expect(explained.find(({ name }) => name === 'firstKey')?.value).toBe('********');
    for (const wrong of ['tooshort', 'with spaces in between it']) {
      expect(() => load({ LYNCEUS_FIRST_KEY: wrong })).toThrow(/firstKey/);
      expect(() => load({ LYNCEUS_FIRST_KEY: wrong })).not.toThrow(wrong);
    }
    writeFile(`{"firstKey": "${secret}" oops`);
    expect(() => load()).not.toThrow(secret);
  });

  test('take each secret from a file, too', () => {
    const good: Readonly<Record<string, string>> = {
      databaseUrl: 'postgres://me:pass-word@host/d',
      firstKey: 'a-secret-that-is-long-enough',
      acceptedSecretKeys: 'q8Zk1n5Yw0Zr2tX9uVb3Lc7Md4Pe6Hf8Gj1Ka2Sd5Wx=',
    };
    for (const name of settingNames.filter(isSecretSetting)) {
      const variable = `${environmentName(name)}_FILE`;
      writeFile(`${good[name] ?? ''}\n`, 'secret');
      const { settings } = load({ [variable]: 'secret' });
      // The service reads that of the key itself, and makes it where it is that of the data folder.
      if (name === 'secretKey') expect(settings.secretKeyFile).toMatch(/^\/.*\/secret$/);
      else expect(settings).toMatchObject({ [name]: good[name] });
      expect(() =>
        load({ [variable]: 'secret', [environmentName(name)]: good[name] ?? 'x'.repeat(43) }),
      ).toThrow(/both set/);
    }
  });

  test('never show the key of the installation, and take it from one place', () => {
    const secretKey = 'q8Zk1n5Yw0Zr2tX9uVb3Lc7Md4Pe6Hf8Gj1Ka2Sd5Wx=';
    const explained = explainSettings(load({ LYNCEUS_SECRET_KEY: secretKey }));
    expect(JSON.stringify(explained)).not.toContain(secretKey.slice(0, 8));
    expect(explained.find(({ name }) => name === 'secretKey')?.value).toBe('********');
    expect(() => load({ LYNCEUS_SECRET_KEY: 'too-short-a-key' })).toThrow(/secretKey/);
    expect(() => load({ LYNCEUS_SECRET_KEY: 'too-short-a-key' })).not.toThrow(/too-short/);
    expect(() => load({ LYNCEUS_SECRET_KEY: secretKey, LYNCEUS_SECRET_KEY_FILE: 'key' })).toThrow(
      /secretKey and secretKeyFile are both set/,
    );
    expect(load({ LYNCEUS_SECRET_KEY_FILE: 'key' }).settings.secretKeyFile).toMatch(/^\/.*\/key$/);
  });

  test('never show the accepted keys, of which there may be several, in a variable or a file', () => {
    const keys = [
      'q8Zk1n5Yw0Zr2tX9uVb3Lc7Md4Pe6Hf8Gj1Ka2Sd5Wx=',
      'A8Zk1n5Yw0Zr2tX9uVb3Lc7Md4Pe6Hf8Gj1Ka2Sd5Wx',
    ];
    const loaded = load({ LYNCEUS_ACCEPTED_SECRET_KEYS: keys.join(', ') });
    expect(loaded.settings.acceptedSecretKeys).toBe(keys.join(', '));
    expect(explainSettings(loaded).find(({ name }) => name === 'acceptedSecretKeys')?.value).toBe('********');
    writeFile(`${keys.join('\n')}\n`, 'accepted');
    const { settings, sources } = load({ LYNCEUS_ACCEPTED_SECRET_KEYS_FILE: 'accepted' });
    expect(settings.acceptedSecretKeys.split('\n')).toEqual(keys);
    expect(sources['acceptedSecretKeys']).toBe('LYNCEUS_ACCEPTED_SECRET_KEYS_FILE');
    const wrong = () => load({ LYNCEUS_ACCEPTED_SECRET_KEYS: `${keys[0]},too-short-a-key` });
    expect(wrong).toThrow(/acceptedSecretKeys/);
    expect(wrong).not.toThrow(/too-short/);
  });

  test('never show the password of the database, neither when its address is good nor when it is not', () => {
    const explained = explainSettings(load({ LYNCEUS_DATABASE_URL: 'postgres://me:pass-word@host/d' }));
    expect(explained.find(({ name }) => name === 'databaseUrl')?.value).toBe('postgres://me:********@host/d');
    for (const wrong of ['postgres://me:pass-word@host', 'mysql://me:pass-word@host/d', 'pass-word']) {
      expect(() => load({ LYNCEUS_DATABASE_URL: wrong })).toThrow(
        /databaseUrl \(from LYNCEUS_DATABASE_URL\) must/,
      );
      expect(() => load({ LYNCEUS_DATABASE_URL: wrong })).not.toThrow(/pass-word/);
    }
  });

  test('are each explained with a variable and a meaning', () => {
    const explained = explainSettings(load());
    expect(explained.map(({ name }) => name)).toEqual(settingNames);
    for (const { variable, description } of explained) {
      expect(variable).toMatch(/^LYNCEUS_[A-Z0-9_]+$/);
      expect(description.length).toBeGreaterThan(10);
    }
  });

  test('read back from the environment what they were', () => {
    const { settings } = load();
    const env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [environmentName(name), String(value)]),
    );
    expect(loadSettings({ env, cwd: '/elsewhere' }).settings).toEqual(settings);
  });

  test('understand sizes in bytes with and without a unit, and nothing else', () => {
    expect(['0', '1024', '25MiB', '25 mib', '1.5kB', '2GB', '7b'].map(parseByteSize)).toEqual([
      0, 1024, 26_214_400, 26_214_400, 1500, 2e9, 7,
    ]);
    for (const wrong of ['', 'MiB', '-1', '1e3', '1.5', '25 M', '1  kB', '99999999999999GB', '٣']) {
      expect(parseByteSize(wrong)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bytes = parseByteSize(text);
        return bytes === null || (Number.isSafeInteger(bytes) && bytes >= 0);
      }),
    );
  });
});
