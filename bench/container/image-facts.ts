import type { Buildah } from './buildah.js';

/** What an image says of itself, as runtimes read it. */
export interface ImageFacts {
  readonly user: string;
  readonly workingDir: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
  /** The command of the health check, without its first word. */
  readonly healthCheck: readonly string[];
}

export async function readImageFacts(buildah: Buildah, image: string): Promise<ImageFacts> {
  const { OCIv1, Docker } = JSON.parse(await buildah.run('inspect', '--type', 'image', image));
  const { config } = OCIv1;
  const health: readonly string[] = Docker?.config?.Healthcheck?.Test ?? [];
  return {
    user: config.User ?? '',
    workingDir: config.WorkingDir ?? '/',
    words: config.Cmd ?? [],
    environment: Object.fromEntries(
      (config.Env ?? []).map((line: string) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)];
      }),
    ),
    volumes: Object.keys(config.Volumes ?? {}),
    stopSignal: config.StopSignal ?? 'SIGTERM',
    healthCheck: health.slice(1),
  };
}
