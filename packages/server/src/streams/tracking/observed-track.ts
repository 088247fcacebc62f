import { isClearlyBetter, rateLook } from './best-look.js';
import { createNameVotes, type NameOptions } from './name-votes.js';
import { createTextVotes } from './text-votes.js';
import type { TrackedObject } from './track.js';
import type { Look, SeenFace, SeenText, TrackEvent, TrackState } from './track-state.js';
import { footOf, outside, stepZone, type Zone, type ZoneState } from './zones.js';

interface ObservedOptions {
  readonly zones: readonly Zone[];
  readonly names: Partial<NameOptions>;
  /** Better looks and corrected texts raise at most one `update` within so long; what matters more is reported at once. */
  readonly updateEveryMs: number;
}

/** What one look showed of a track. */
interface TrackLook {
  readonly tracked: TrackedObject;
  readonly frame: Pick<Look, 'atMs' | 'width' | 'height'>;
  readonly face: SeenFace | null;
  readonly texts: readonly SeenText[];
  /** Whether the track may start to raise events. */
  readonly isWanted: boolean;
}

/** One track with its votes and zones. It raises no events before its `start`. */
export type ObservedTrack = ReturnType<typeof createObservedTrack>;

export function createObservedTrack(first: TrackedObject, options: ObservedOptions) {
  const names = createNameVotes(options.names);
  const texts = createTextVotes();
  const zones = new Map<string, ZoneState>();
  let tracked = first;
  let enteredZones: readonly string[] = [];
  let bestRating = 0;
  let reported: TrackState | null = null;
  let updatedAtMs = 0;

  const stateNow = (): TrackState => {
    const { seen: _seen, steadyBox: _steadyBox, isConfirmed: _isConfirmed, ...rest } = tracked;
    const currentZones = options.zones.map(({ name }) => name).filter((name) => zones.get(name)?.isInside);
    return {
      ...rest,
      currentZones,
      enteredZones,
      person: names.person,
      texts: texts.texts.map(({ text }) => text),
    };
  };

  const vote = ({ frame: { atMs, width, height }, face, texts: read }: TrackLook) => {
    if (face) names.add({ atMs, quality: face.quality, person: face.person });
    texts.add(read.map(({ text, score }) => ({ atMs, text, score })));
    const seen = { foot: footOf(tracked.steadyBox, width, height), title: tracked.label.title };
    for (const zone of options.zones) {
      const next = stepZone(zones.get(zone.name) ?? outside, zone, seen);
      zones.set(zone.name, next);
      if (next.isInside) enteredZones = [...new Set([...enteredZones, zone.name])];
    }
  };

  const rate = ({ frame, face }: TrackLook): number =>
    tracked.seen === null
      ? 0
      : rateLook({
          ...frame,
          box: tracked.box,
          score: tracked.seen.score,
          faceQuality: face?.quality ?? null,
        });

  return {
    /** Null before `start`. */
    get state(): TrackState | null {
      return reported && stateNow();
    },
    observe(look: TrackLook): TrackEvent[] {
      tracked = look.tracked;
      const { atMs } = look.frame;
      if (tracked.seen !== null) vote(look);
      const rating = rate(look);
      const track = stateNow();
      if (reported === null) {
        if (!look.isWanted || tracked.seen === null) return [];
        [reported, bestRating, updatedAtMs] = [track, rating, atMs];
        const nothing = { ...track, currentZones: [], person: null, texts: [] };
        return [{ kind: 'start', atMs, track, isBest: true }, ...changesBetween(nothing, track, atMs)];
      }
      const changes = changesBetween(reported, track, atMs);
      const isBest = isClearlyBetter(rating, bestRating);
      const isDue = Math.abs(atMs - updatedAtMs) >= options.updateEveryMs;
      const mayUpdate = isBest || isCorrected(reported, track);
      if (changes.length === 0 && !matters(reported, track) && !(mayUpdate && isDue)) return [];
      [reported, updatedAtMs] = [track, atMs];
      if (isBest) bestRating = rating;
      return [...changes, { kind: 'update', atMs, track, isBest }];
    },
    end(atMs: number): TrackEvent[] {
      if (reported === null) return [];
      const track = stateNow();
      const left = { ...track, currentZones: [] };
      reported = null;
      return [
        ...track.currentZones.map((zone): TrackEvent => ({ kind: 'zone_left', atMs, track: left, zone })),
        { kind: 'end', atMs, track },
      ];
    },
    /** The next look reports the change. */
    refuse: names.refuse,
  };
}

/** The events of zones, names and texts that lead from one state to a later one. */
function changesBetween(before: TrackState, track: TrackState, atMs: number): TrackEvent[] {
  const entered = track.currentZones.filter((zone) => !before.currentZones.includes(zone));
  const left = before.currentZones.filter((zone) => !track.currentZones.includes(zone));
  const isRecognised = track.person !== null && track.person.personId !== before.person?.personId;
  // Texts keep their order; agreed ones are only added.
  const read = track.texts.slice(before.texts.length);
  return [
    ...left.map((zone): TrackEvent => ({ kind: 'zone_left', atMs, track, zone })),
    ...entered.map((zone): TrackEvent => ({ kind: 'zone_entered', atMs, track, zone })),
    ...(isRecognised ? [{ kind: 'person_recognised', atMs, track } as const] : []),
    ...read.map((text): TrackEvent => ({ kind: 'text_read', atMs, track, text })),
  ];
}

/** What is reported at once, besides what has events of its own. */
function matters(before: TrackState, track: TrackState): boolean {
  return (
    before.label.title !== track.label.title ||
    before.isStationary !== track.isStationary ||
    before.person?.personId !== track.person?.personId
  );
}

function isCorrected(before: TrackState, track: TrackState): boolean {
  return before.texts.some((text, index) => text !== track.texts[index]);
}
