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
    ['NUL', 'a.jpg\0.php', 'stays within: /incoming/a.jpg_.php'],
    ['bare CR', 'a\rDELE b', 'stays within: /incoming/a_DELE b'],
    ['escape', 'a\u001b[2Jb', 'stays within: /incoming/a_[2Jb'],
    ['DEL', 'a\u007fb', 'stays within: /incoming/a_b'],
    ['C1 control', 'a\u009bb', 'stays within: /incoming/a_b'],
    ['256 bytes', 'x'.repeat(256), `stays within: /incoming/${'x'.repeat(255)}`],
    ['4,000 bytes', 'é'.repeat(2000), `stays within: /incoming/${'é'.repeat(127)}`],
    ['255 bytes', 'x'.repeat(255), `stays within: /incoming/${'x'.repeat(255)}`],
    ['33 folders', 'a/'.repeat(33), 'refused'],
    ['reversed writing direction', 'photo\u202egpj.exe', 'stays within: /incoming/photogpj.exe'],
    ['isolated writing direction', 'a\u2066b', 'stays within: /incoming/ab'],
    ['zero width', 'a\u200bb.jpg', 'stays within: /incoming/ab.jpg'],
    ['byte order mark', '\ufeffa.jpg', 'stays within: /incoming/a.jpg'],
    ['line separator', 'a\u2028b', 'stays within: /incoming/a_b'],
    ['dots with an invisible character', '.\u200b./.\u2060./x', 'stays within: /incoming/_/_/x'],
    ['blank', ' ', 'stays within: /incoming/_'],
    ['no-break space', '\u00a0', 'stays within: /incoming/_'],
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
