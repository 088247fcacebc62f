import type { Camera } from '../read-cameras.js';

/** As which version of Frigate clients are answered: they refuse older ones, and ask newer ones for more. */
export const frigateVersion = '0.14.1-lynceus';

/** What Frigate says of its work, as far as clients need it to see that all is well; there are no processes of its kind. */
export function toFrigateStats(cameras: readonly Camera[], uptimeSeconds: number) {
  const fpsOf = ({ isEnabled, state }: Camera) =>
    isEnabled && state?.state === 'running' ? state.analysed_millifps / 1000 : 0;
  const sum = cameras.reduce((total, camera) => total + fpsOf(camera), 0);
  return {
    cameras: Object.fromEntries(
      cameras.map((camera) => [
        camera.camera,
        {
          camera_fps: fpsOf(camera),
          process_fps: fpsOf(camera),
          skipped_fps: 0,
          detection_fps: fpsOf(camera),
          detection_enabled: camera.isEnabled,
          pid: 0,
          capture_pid: 0,
          ffmpeg_pid: 0,
          audio_rms: 0,
          audio_dBFS: 0,
        },
      ]),
    ),
    detectors: { lynceus: { inference_speed: 0, detection_start: 0, pid: 0 } },
    detection_fps: sum,
    cpu_usages: {},
    gpu_usages: {},
    processes: {},
    service: {
      uptime: Math.floor(uptimeSeconds),
      version: frigateVersion,
      latest_version: frigateVersion,
      storage: {},
      temperatures: {},
      last_updated: Math.floor(Date.now() / 1000),
    },
  };
}
