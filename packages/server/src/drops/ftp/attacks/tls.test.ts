import { describe, expect, test } from 'vitest';
import { connected, started } from '../fixtures/attacked.js';

describe('TLS stripping', () => {
  test('plain text after AUTH is never executed, and ends the connection', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    client.send('AUTH TLS\r\nUSER camera\r\nPASS a-key-of-the-drop\r\nDELE x\r\n');
    expect(await client.hear()).toMatch(/^421 /);
    expect(await client.hear()).toBe('');
    expect(ftp.events).toContainEqual(expect.objectContaining({ kind: 'plain-text-before-tls' }));
    expect(ftp.tried).toEqual([]);
  });

  test('plain text after 234 makes the handshake fail', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    expect(await client.ask('AUTH TLS')).toMatch(/^234 /);
    client.send('USER camera\r\nPASS a-key-of-the-drop\r\n');
    expect(await client.hear()).not.toMatch(/^[23]/);
    expect(ftp.tried).toEqual([]);
  });
});
