import { type RefObject, useEffect, useState } from 'react';

type CameraProblem = 'insecure' | 'forbidden' | 'none' | 'busy';

interface CameraState {
  readonly isLive: boolean;
  readonly problem: CameraProblem | null;
  /** The device that is shown. */
  readonly deviceId: string | null;
  readonly devices: readonly { readonly value: string; readonly label: string }[];
}

const waiting: CameraState = { isLive: false, problem: null, deviceId: null, devices: [] };

/** Shows a camera in a video element while that is mounted, and turns the camera off afterwards. */
export function useCameraStream(
  video: RefObject<HTMLVideoElement | null>,
  wantedId: string | null,
): CameraState {
  const [state, setState] = useState(waiting);
  useEffect(() => {
    let isOver = false;
    let stop = () => {};
    const show = async () => {
      // Browsers allow the camera only on pages over HTTPS and on localhost.
      const media: MediaDevices | undefined = navigator.mediaDevices;
      if (!media) return setState({ ...waiting, problem: 'insecure' });
      const size = { width: { ideal: 1280 }, height: { ideal: 960 } };
      const which = wantedId ? { deviceId: { exact: wantedId } } : { facingMode: 'user' };
      const stream = await media.getUserMedia({ video: { ...size, ...which } });
      stop = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      if (isOver || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      const found = (await media.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
      if (isOver) return;
      setState({
        isLive: true,
        problem: null,
        deviceId: stream.getVideoTracks()[0]?.getSettings().deviceId ?? null,
        devices: found.map(({ deviceId, label }, index) => ({
          value: deviceId,
          label: label || String(index + 1),
        })),
      });
    };
    show().catch((error: unknown) => {
      stop();
      if (!isOver) setState({ ...waiting, problem: problemOf(error) });
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [video, wantedId]);
  return state;
}

function problemOf(error: unknown): CameraProblem {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'forbidden';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy';
}
