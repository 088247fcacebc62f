import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { readableKeyPair } from './readable-key-pair.js';

test('every key can be read: of what the library makes, one of 200 cannot', async () => {
  for (let count = 0; count < 2000; count += 1) {
    const pair = await readableKeyPair(() => ssh2.utils.generateKeyPairSync('ed25519'));
    for (const text of [pair.private, pair.public]) {
      expect(ssh2.utils.parseKey(text)).not.toBeInstanceOf(Error);
    }
  }
});
