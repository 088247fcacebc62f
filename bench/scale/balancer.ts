import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.js';

/** nginx in front of services, in turn, whatever each has to do: the plainest balancer there is. */
export async function startBalancer(dir: string, urls: readonly string[], givenPort?: string) {
  await mkdir(dir, { recursive: true });
  const port = givenPort ?? (await freePort());
  const config = `
daemon off;
worker_processes 1;
pid ${dir}/pid;
error_log stderr warn;
events { worker_connections 512; }
http {
  access_log off;
  client_max_body_size 64m;
  client_body_buffer_size 1m;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  upstream replicas {
    ${urls.map((url) => `server ${new URL(url).host} max_fails=0;`).join('\n    ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
      proxy_read_timeout 120s;
    }
  }
}
`;
  await writeFile(join(dir, 'nginx.conf'), config);
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`nginx is needed: ${error instanceof Error ? error.message : error}`);
  });
  const listening = (async () => {
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
      await sleep(50);
    }
  })();
  await Promise.race([failed, listening]);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    },
  };
}

function isListening(port: number | string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
