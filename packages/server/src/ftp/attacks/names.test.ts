import { describe, expect, test } from 'vitest';
import { connected, loggedIn, started } from '../fixtures/attacked.js';

describe('names', () => {
  const tricks: readonly (readonly [string, string, string])[] = [
    ['parent folders', '../../../etc/passwd', 'stays within: /incoming/etc/passwd'],
    ['absolute', '/etc/passwd', 'stays within: /incoming/etc/passwd'],
    ['parent folders of done', '/done/../../../etc', 'stays within: /incoming/etc'],
    ['dots in the middle', 'a/./../../b', 'stays within: /incoming/b'],
    ['backslashes', '..\\..\\etc', 'stays within: /incoming/..\\..\\etc'],
    ['an encoded slash is a name', '..%2f..%2fetc', 'stays within: /incoming/..%2f..%2fetc'],
    ['a wide slash is a name', '..／..／etc', 'stays within: /incoming/..／..／etc'],
    ['NUL', 'a.jpg\0.php', 'refused'],
    ['bare CR', 'a\rDELE b', 'refused'],
    ['escape', 'a\u001b[2Jb', 'refused'],
    ['DEL', 'a\u007fb', 'refused'],
    ['C1 control', 'a\u009bb', 'refused'],
    ['256 bytes', 'x'.repeat(256), 'refused'],
    ['4,096 bytes', 'é'.repeat(2048), 'refused'],
    ['255 bytes', 'x'.repeat(255), `stays within: /incoming/${'x'.repeat(255)}`],
    ['33 folders', 'a/'.repeat(33), 'refused'],
    ['reversed writing direction', 'photo\u202egpj.exe', 'refused'],
    ['isolated writing direction', 'a\u2066b', 'refused'],
    ['zero width', 'a\u200bb.jpg', 'refused'],
    ['byte order mark', '\ufeffa.jpg', 'refused'],
    ['line separator', 'a\u2028b', 'refused'],
    ['blank', ' ', 'refused'],
    ['no-break space', '\u00a0', 'refused'],
    ['an overlong slash is Latin-1', '\xc0\xaf', 'refused or within'],
  ];
  test.each(tricks)('%s: %j', async (_name, text, expected) => {
    const ftp = await started();
    const client = await loggedIn(ftp);
    client.send(
      expected === 'refused or within'
        ? Buffer.from(`RNFR ..${text}..${text}etc\r\n`, 'latin1')
        : `RNFR ${text}\r\n`,
    );
    const said = await client.hear();
    if (expected === 'refused') expect(said).toMatch(/^553 /);
    else if (expected.startsWith('stays within: ')) {
      expect(ftp.folders.asked.map((path) => `/${path.join('/')}`)).toEqual([expected.slice(14)]);
    }
    for (const path of ftp.folders.asked) {
      expect(['incoming', 'done', 'failed']).toContain(path[0]);
      expect(path.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('/'))).toBe(
        true,
      );
    }
  });

  test('a line break in a name ends the command, and the rest is a command of the same client', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    client.send('USER camera\r\nMKD a\r\nPASS wrong\nDELE b\r\n');
    const said = [await client.hear(), await client.hear(), await client.hear(), await client.hear()];
    expect(said.map((line) => line.slice(0, 3))).toEqual(['331', '530', '530', '530']);
    expect(ftp.folders.asked).toEqual([]);
  });

  test('a name never becomes a line of its own in a reply or a listing', async () => {
    const ftp = await started();
    const client = await loggedIn(ftp);
    ftp.folders.put('/incoming/a"b', 'folder');
    expect(await client.ask('CWD a"b')).toBe('250 "/incoming/a""b" is the current folder.');
    expect(await client.ask('RNFR 226 Sent.')).toBe('550 There is no /incoming/a"b/226 Sent..');
  });
});
