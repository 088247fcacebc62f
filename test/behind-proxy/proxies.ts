import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#bench/free-port.js';

const page = fileURLToPath(new URL('../../../docs/operation.md', import.meta.url));

export interface ProxyInput {
  /** For its files; goes away with the test. */
  readonly dir: string;
  readonly servicePort: number;
  /** Where it listens for TLS. */
  readonly port: number;
  /** The path below which the service lives; empty: the root. */
  readonly pathPrefix: string;
  readonly certificate: { readonly certPath: string; readonly keyPath: string };
}

export interface RunningProxy {
  readonly url: string;
  /** All that it logged. */
  readLogs(): Promise<string>;
  stop(): Promise<void>;
}

/** nginx with the file that docs/operation.md gives, but for ports and places. */
export async function startNginx(input: ProxyInput): Promise<RunningProxy> {
  const { dir, servicePort, port, pathPrefix, certificate } = input;
  const plainPort = await freePort();
  const site = replaceAll(await readExample('nginx'), [
    ['127.0.0.1:8080', `127.0.0.1:${servicePort}`],
    ['listen [::]:443 ssl http2;', ''],
    ['listen [::]:80;', ''],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['/etc/ssl/vision.example/fullchain.pem', certificate.certPath],
    ['/etc/ssl/vision.example/privkey.pem', certificate.keyPath],
    ['/var/log/nginx/', `${dir}/`],
    ['location / {', `location ${pathPrefix}/ {`],
  ]);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/${name};`)
    .join('\n');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(dir, 'nginx.conf'),
    `${user} daemon off; pid ${dir}/nginx.pid; events {} http { ${folders}\naccess_log off;\n${site} }`,
  );
  const words = ['-p', dir, '-e', join(dir, 'start.log'), '-c', join(dir, 'nginx.conf')];
  return follow(spawn('/usr/sbin/nginx', words), `https://localhost:${port}${pathPrefix}`, () =>
    readAll(['lynceus.log', 'lynceus-error.log', 'start.log'].map((name) => join(dir, name))),
  );
}

/** Caddy likewise, at the root. */
export async function startCaddy({ dir, servicePort, port, certificate }: ProxyInput): Promise<RunningProxy> {
  const file = replaceAll(await readExample('caddyfile'), [
    ['127.0.0.1:8080', `127.0.0.1:${servicePort}`],
    ['{\n\tlog {', '{\n\tadmin off\n\tauto_https disable_redirects\n\tlog {'],
    ['vision.example {', `https://localhost:${port} {\n\ttls ${certificate.certPath} ${certificate.keyPath}`],
  ]);
  await mkdir(join(dir, 'caddy'));
  await writeFile(join(dir, 'Caddyfile'), file);
  const words = ['run', '--adapter', 'caddyfile', '--config', join(dir, 'Caddyfile')];
  const home = join(dir, 'caddy');
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn('caddy', words, { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return follow(child, `https://localhost:${port}`, async () => said);
}

/** The one example in a language that the page has. */
async function readExample(language: string): Promise<string> {
  const text = await readFile(page, 'utf8');
  const found = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/operation.md has no example for ${language}`);
  return found;
}

function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the example has no ${JSON.stringify(from)}`);
    return changed.replaceAll(from, to);
  }, text);
}

async function follow(
  child: ChildProcess,
  url: string,
  readLogs: () => Promise<string>,
): Promise<RunningProxy> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  for (let attempt = 0; !(await isListening(url)); attempt++) {
    if (child.exitCode !== null || attempt > 300) throw new Error(`it did not start:\n${await readLogs()}`);
    await sleep(50);
  }
  return {
    url,
    readLogs,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Its certificate is its own, so an answer is one of TLS. */
const isListening = (url: string) =>
  fetch(url).then(
    () => true,
    (error: Error) => !/ECONNREFUSED/.test(JSON.stringify(error.cause)),
  );

async function readAll(paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts.join('\n');
}
