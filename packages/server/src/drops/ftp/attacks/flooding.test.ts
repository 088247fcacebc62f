import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../servers/fixtures/until.js';
import { connected, loggedIn, started } from '../fixtures/attacked.js';
import { defaultFtpLimits } from '../ftp-options.js';

const { control } = defaultFtpLimits;

describe('flooding', () => {
  test('a hundred thousand commands at once are all answered while other clients are served', async () => {
    const ftp = await started();
    const flood = await connected(ftp);
    let replies = 0;
    flood.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      replies += chunk.toString().split('\n').length - 1;
    });
    const other = await loggedIn(ftp, { from: '127.0.0.2' });
    flood.send('NOOP\r\n'.repeat(100_000));
    await until(() => replies > 0);
    expect(await other.ask('NOOP')).toMatch(/^200 /);
    expect(replies).toBeLessThan(100_000);
    await until(() => replies === 100_000);
  });

  test('a client that does not read its replies is disconnected', async () => {
    const ftp = await started({ limits: { control: { ...control, replyTimeoutMs: 100 } } });
    const socket = connect({ port: ftp.port, host: '127.0.0.1' });
    socket.pause();
    socket.on('error', () => undefined);
    onTestFinished(() => {
      socket.destroy();
    });
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    const help = 'HELP\r\n'.repeat(1000);
    const pump = setInterval(() => {
      if (socket.writable) socket.write(help);
    }, 1);
    onTestFinished(() => clearInterval(pump));
    await until(() => isClosed || !socket.writable);
  });

  test('a folder of 100,000 files is listed while other clients are served', async () => {
    const ftp = await started();
    ftp.folders.list = async function* () {
      for (let index = 0; index < 100_000; index++) {
        yield { name: `IMG_${index}.JPG`, kind: 'file', sizeBytes: index, modifiedMs: 0 };
      }
    };
    const [client, other] = [await loggedIn(ftp), await loggedIn(ftp)];
    let isOver = false;
    const listing = client.fetch('LIST').finally(() => {
      isOver = true;
    });
    let served = 0;
    while (!isOver) {
      expect(await other.ask('NOOP')).toMatch(/^200 /);
      served++;
    }
    expect((await listing).content.toString().split('\r\n')).toHaveLength(100_001);
    expect(served).toBeGreaterThan(20);
  });
});
