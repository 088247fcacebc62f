import type { InputGeometry } from '../../catalog/manifest.js';
import type { InputPlan } from '../plan.js';
import { UploadRefused } from '../upload-refused.js';

/** Grey of YOLO's letterbox. */
const letterboxFill = 114;

/** How the image is brought to the input, as the manifest says it. */
export function geometryOf({ fit, width, height, fraction, place }: InputPlan): InputGeometry {
  switch (fit) {
    case 'squash':
      return { fit, width, height };
    case 'letterbox':
      return { fit, width, height, fill: letterboxFill, place };
    case 'centre':
      if (width !== height)
        throw new UploadRefused(
          `the model takes ${width}x${height}; give input.fit squash or letterbox, not centre`,
        );
      return { fit, fraction, side: width };
  }
}
