import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  readonly certPath: string;
}

/** Whether there is an openssl to make certificates with. Where CI is set there must be one. */
export function haveOpenssl(): boolean {
  if (spawnSync('openssl', ['version']).status === 0 || process.env['CI'] === 'true') return true;
  console.warn('skipped: openssl is not installed (apt install openssl)');
  return false;
}

/** A certificate that signs itself, good for `days` from now; a negative number makes one that has run out. */
export function makeCertificate(
  dir: string,
  name: string,
  options: { readonly subject: string; readonly days: number },
): Certificate {
  const path = (ending: string) => join(dir, `${name}.${ending}`);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path('key')];
  openssl('req', ...key, '-subj', `/CN=${name}`, '-out', path('csr'));
  writeFileSync(path('ext'), `subjectAltName=${options.subject}\n`);
  const signed = ['-signkey', path('key'), '-days', String(options.days), '-extfile', path('ext')];
  openssl('x509', '-req', '-in', path('csr'), ...signed, '-out', path('crt'));
  return { key: readFileSync(path('key')), cert: readFileSync(path('crt')), certPath: path('crt') };
}
