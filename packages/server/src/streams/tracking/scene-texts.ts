import { type Box, boxArea, type Point } from '@lynceus/engine';
import { createTextVotes, type TextVotes } from './text-votes.js';
import type { SceneText, SeenText } from './track-state.js';

/** A text that was not read for so long is forgotten: it is new when it comes back. */
const forgetAfterMs = 600_000;
/** A reading belongs to a place that is no further from its middle than this share of the larger of both texts is wide. */
const maxDistance = 0.75;
const maxPlaces = 200;

interface Place {
  readonly box: Box;
  readonly readAtMs: number;
  readonly votes: TextVotes;
}

/** Reads the texts of a scene that are on no tracked object. */
export function createSceneReader() {
  let places: readonly Place[] = [];
  return {
    /** @returns texts that readings of this frame and earlier ones of the same place agree on for the first time */
    read(atMs: number, texts: readonly SeenText[]): readonly SceneText[] {
      places = places.filter(({ readAtMs }) => atMs - readAtMs <= forgetAfterMs);
      const fresh: SceneText[] = [];
      for (const { box, text, score } of texts) {
        if (!(boxArea(box) > 0)) continue;
        const known = places.find((place) => isAtPlace(box, place.box));
        const votes = known?.votes ?? createTextVotes();
        // The last ones are those that were read last.
        places = [...places.filter((place) => place !== known), { box, readAtMs: atMs, votes }].slice(
          -maxPlaces,
        );
        fresh.push(...votes.add([{ atMs, text, score }]).map((agreed) => ({ ...agreed, box })));
      }
      return fresh;
    },
  };
}

function isAtPlace(a: Box, b: Box): boolean {
  const [from, to] = [middle(a), middle(b)];
  const width = Math.max(a.xMax - a.xMin, b.xMax - b.xMin);
  const height = Math.max(a.yMax - a.yMin, b.yMax - b.yMin);
  return Math.abs(from.x - to.x) <= maxDistance * width && Math.abs(from.y - to.y) <= maxDistance * height;
}

function middle({ xMin, yMin, xMax, yMax }: Box): Point {
  return { x: (xMin + xMax) / 2, y: (yMin + yMax) / 2 };
}
