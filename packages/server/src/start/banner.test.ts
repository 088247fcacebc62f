import { expect, test } from 'vitest';
import { formatBanner } from './banner.js';

const service = { address: 'http://127.0.0.1:8080', samplePath: "/home/o'neill/sample.jpg", welcome: null };

test('the first key is shown once, in a line to paste', () => {
  const text = formatBanner({ ...service, firstKey: 'lyn_first', firstKeyPath: '/data/first-key' });
  expect(text).toContain('Your API key, shown this once:');
  expect(text).toContain('"http://127.0.0.1:8080/predict/image?apikey=lyn_first"');
  expect(text).toContain(String.raw`'image=@/home/o'\''neill/sample.jpg'`);
});

test('the link that makes the administrator is shown while there is none', () => {
  const link = 'http://127.0.0.1:8080/welcome#abc';
  const text = formatBanner({ ...service, welcome: link, firstKey: null, firstKeyPath: null });
  expect(text).toContain(`  ${link}\n`);
  expect(formatBanner({ ...service, firstKey: null, firstKeyPath: null })).not.toContain('welcome');
});

test('later the line takes the key from its file, for as long as that is there', () => {
  const text = formatBanner({ ...service, firstKey: null, firstKeyPath: '/data/first-key' });
  expect(text).toContain("apikey=$(cat '/data/first-key')");
});

test('when the key is no longer kept, it says how to create one', () => {
  const text = formatBanner({ ...service, firstKey: null, firstKeyPath: null });
  expect(text).toContain('keys create --account');
});
