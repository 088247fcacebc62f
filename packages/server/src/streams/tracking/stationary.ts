import { type Box, boxIou } from '@lynceus/engine';

/** Whether an object stays where it is. Boxes are steady: what the shaking of the camera moved is taken out. */
export interface Stillness {
  readonly isStationary: boolean;
  /** Where it stays: the mean of its boxes, while it is stationary one that follows within minutes. */
  readonly anchor: Box;
  /** How long it has been at its anchor. */
  readonly stayedMs: number;
  /** How long a stationary object has been seen elsewhere, and how often. */
  readonly awayMs: number;
  readonly awayLooks: number;
}

export interface StationaryOptions {
  /** An object that stays so long is stationary. */
  readonly stationaryAfterMs: number;
  /** One that is elsewhere so long moves again. */
  readonly movingAfterMs: number;
}

/** IoU with the anchor below which an object has not stayed: detections of one object that nothing hides overlap by .75 and more. */
const minStayIou = 0.6;
/** IoU below which a stationary one is elsewhere: half of it may be hidden. */
const maxAwayIou = 0.4;
/** Looks elsewhere that it takes besides the time: at one frame a second, one wrong box is no movement. */
const minAwayLooks = 2;
/** The anchor of a stationary object follows it within so long: the sun and repairs move cameras. */
const followMs = 60_000;

export function startStillness(box: Box): Stillness {
  return { isStationary: false, anchor: box, stayedMs: 0, awayMs: 0, awayLooks: 0 };
}

/**
 * The stillness after a look.
 * @param box smoothed over the last looks
 * @param elapsedMs since the look before it, in which the object was seen
 */
export function stepStillness(
  stillness: Stillness,
  { box, elapsedMs }: { readonly box: Box; readonly elapsedMs: number },
  { stationaryAfterMs, movingAfterMs }: StationaryOptions,
): Stillness {
  const iou = boxIou(stillness.anchor, box);
  const spentMs = Math.max(0, elapsedMs);
  if (!stillness.isStationary) {
    if (iou < minStayIou) return startStillness(box);
    const stayedMs = stillness.stayedMs + spentMs;
    const anchor = mixBoxes(stillness.anchor, box, stayedMs > 0 ? spentMs / stayedMs : 0);
    return { ...stillness, anchor, stayedMs, isStationary: stayedMs >= stationaryAfterMs };
  }
  if (iou >= maxAwayIou) {
    const anchor = mixBoxes(stillness.anchor, box, Math.min(spentMs / followMs, 0.1));
    return { ...stillness, anchor, stayedMs: stillness.stayedMs + spentMs, awayMs: 0, awayLooks: 0 };
  }
  const awayMs = stillness.awayLooks === 0 ? 0 : stillness.awayMs + spentMs;
  const awayLooks = stillness.awayLooks + 1;
  if (awayMs >= movingAfterMs && awayLooks >= minAwayLooks) return startStillness(box);
  return { ...stillness, awayMs, awayLooks };
}

function mixBoxes(a: Box, b: Box, share: number): Box {
  const mix = (side: keyof Box) => a[side] + share * (b[side] - a[side]);
  return { xMin: mix('xMin'), yMin: mix('yMin'), xMax: mix('xMax'), yMax: mix('yMax') };
}
