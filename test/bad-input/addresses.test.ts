import { describe, expect, test } from 'vitest';
import { haveDefaultModels } from '../default-models.js';
import { startFarHost } from '../hostile/far-host.js';
import type { Code } from '../hostile/use-guarded-service.js';
import { useGuardedService } from '../hostile/use-guarded-service.js';
import { sample } from '../sample.js';

describe.skipIf(!(await haveDefaultModels()))('bad input', () => {
  const hostilities = useGuardedService();
  describe('an address', () => {
    const expectBoth = async (address: string, code: Code) => {
      const { v1, v2, expectRefusal } = hostilities();
      await expectRefusal(await v1('/predict/image', { url: address }), code, 1, address);
      await expectRefusal(await v2({ image_file_url: address }), code, 2, address);
    };

    const forbidden = [
      'http://127.0.0.1/',
      'http://127.0.0.1.:8080/livez',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0x7f.0.0.1/',
      'http://0177.0.0.1/',
      'http://0/',
      'http://0.0.0.0:8080/',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://①②⑦.⓪.⓪.①/',
      'http://127.0.0.2@127.0.0.1/',
      'http://10.0.0.1/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://100.64.0.1/',
      'http://169.254.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://0xa9fea9fe/latest/meta-data/',
      'http://100.100.100.200/',
      'http://168.63.129.16/',
      'http://224.0.0.1/',
      'http://255.255.255.255/',
      'http://[::]/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:127.0.0.2]/',
      'http://[::ffff:7f00:1]/',
      'http://[::127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[2002:7f00:1::]/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://[ff02::1]/',
      'http://127.0.0.2:22/',
      'http://127.0.0.2:25/',
    ];
    test('of a forbidden place is not allowed, however it is written', async () => {
      for (const address of forbidden) await expectBoth(address, 'address_not_allowed');
    });

    test.each([
      'file:///etc/passwd',
      'gopher://127.0.0.2/',
      'data:image/png;base64,AAAA',
      '//127.0.0.2/',
      'picture.jpg',
    ])('that is none of http or https is a wrong parameter: %s', (address) =>
      expectBoth(address, 'wrong_parameters'),
    );

    test.each<readonly [string, Code]>([
      ['/to-loopback', 'address_not_allowed'],
      ['/twice-to-loopback', 'address_not_allowed'],
      ['/to-metadata', 'address_not_allowed'],
      ['/to-mapped', 'address_not_allowed'],
      ['/to-file', 'address_not_allowed'],
      ['/round', 'address_not_reachable'],
      ['/silent', 'address_not_reachable'],
      ['/drip', 'address_not_reachable'],
      ['/endless', 'file_too_large'],
      ['/vast', 'file_too_large'],
      ['/cut', 'address_not_reachable'],
      ['/reset', 'address_not_reachable'],
      ['/nonsense', 'address_not_reachable'],
      ['/compressed', 'address_not_reachable'],
      ['/missing', 'address_not_reachable'],
      ['/page', 'unsupported_image'],
      ['/nothing', 'no_file'],
    ])('of a host that plays %s is told as %s', async (path, code) => {
      const { far } = hostilities();
      const startedAt = performance.now();
      await expectBoth(far.address(path), code);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });

    test('where nobody listens is not reachable', async () => {
      const gone = await startFarHost(sample);
      await gone.close();
      await expectBoth(gone.address('/picture'), 'address_not_reachable');
    });

    test('of a picture is answered, over a redirect too', async () => {
      const { far, v1, answered } = hostilities();
      for (const path of ['/picture', '/to-picture']) {
        const url = far.address(path);
        const answer = await v1('/predict/object_detection/', { url, model_id: '102' });
        expect(await answer.json()).toMatchObject({
          status: 'ok',
          predictions: [{ class_title: 'stop sign' }],
        });
      }
      answered(2);
    });
  });
});
