import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { haveProgram } from './have-program.js';

/** Whatever is in it, which the tests say. */
export interface Json {
  readonly [name: string]: Json;
}

export const haveCurl = (): boolean => haveProgram('curl', ['--version'], 'curl');

/** Runs curl with these words; answers what it prints. Rejects with what it says is wrong. */
export async function runCurl(words: readonly string[], input: string | Buffer = ''): Promise<Buffer> {
  const child = spawn('curl', ['-sS', '--max-time', '600', ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined).end(input);
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, said] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  if ((await code) !== 0) throw new Error(`curl: ${said}`);
  return out;
}

/** A request as typed in a shell: a form by `-F`, anything else as JSON. */
export async function sendByCurl(
  { url, key }: { readonly url: string; readonly key: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly json: Json }> {
  const words = ['-X', method, '-H', `X-API-Key: ${key}`, '-w', '\n%{http_code}', url + path];
  const answer = await (body instanceof FormData
    ? sendForm(words, body)
    : body === undefined || body === null
      ? runCurl(words)
      : runCurl(
          [...words, '-H', 'Content-Type: application/json', '--data-binary', '@-'],
          JSON.stringify(body),
        ));
  const text = answer.toString();
  const end = text.lastIndexOf('\n');
  return { status: Number(text.slice(end + 1)), json: JSON.parse(text.slice(0, end)) };
}

async function sendForm(words: readonly string[], form: FormData): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-curl-'));
  try {
    const parts: string[] = [];
    for (const [name, value] of form) {
      if (typeof value === 'string') parts.push('--form-string', `${name}=${value}`);
      else {
        const path = join(dir, String(parts.length));
        await writeFile(path, new Uint8Array(await value.arrayBuffer()));
        parts.push('-F', `${name}=@${path};filename=${value.name}`);
      }
    }
    return await runCurl([...words, ...parts]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Follows the events of a job to its end; answers each that came, the last one being how it ended. */
export async function followByCurl(
  { url, key }: { readonly url: string; readonly key: string },
  jobId: unknown,
): Promise<readonly Json[]> {
  const events = await runCurl(['-N', '-H', `X-API-Key: ${key}`, `${url}/api/jobs/${jobId}/events`]);
  return [...events.toString().matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}
