import type { TimelineTrack, VideoTimeline } from '@lynceus/client';
import { type Span, toSpans } from './spans.js';

const laneKinds = ['person', 'object', 'text', 'image'] as const;
type LaneKind = (typeof laneKinds)[number];

/** A row of the timeline: when a person, a class, a text or a kind of scene is seen. */
export interface Lane {
  readonly id: string;
  readonly kind: LaneKind;
  readonly name: string;
  readonly spans: readonly Span[];
  /** In all, in seconds. */
  readonly seenSeconds: number;
}

interface Lanes {
  readonly lanes: readonly Lane[];
  /** Above 0. */
  readonly durationSeconds: number;
}

/** People first, then classes, texts and scenes; within each, what is seen longest first. */
export function toLanes(timeline: VideoTimeline): Lanes {
  const { duration_seconds } = timeline.video;
  // A file need not say how long it is.
  const lastSeconds = timeline.tracks.reduce((last, { end_seconds }) => Math.max(last, end_seconds), 0.001);
  const durationSeconds = duration_seconds > 0 ? duration_seconds : lastSeconds;
  const toLane = (
    kind: LaneKind,
    id: string | number,
    name: string,
    intervals: VideoTimeline['texts'][number]['intervals'],
  ): Lane => ({
    ...{ id: `${kind} ${id}`, kind, name },
    spans: toSpans(intervals, durationSeconds),
    seenSeconds: intervals.reduce((sum, each) => sum + each.end_seconds - each.start_seconds, 0),
  });
  const longestFirst = (lanes: readonly Lane[]) =>
    [...lanes].sort((one, other) => other.seenSeconds - one.seenSeconds);
  const lanes = [
    ...longestFirst(
      timeline.people.map(({ person, intervals }) => toLane('person', person.id, person.name, intervals)),
    ),
    ...longestFirst(
      timeline.classes.map(({ label, intervals }) => toLane('object', label, label, intervals)),
    ),
    ...longestFirst(timeline.texts.map(({ text, intervals }) => toLane('text', text, text, intervals))),
    ...longestFirst(
      timeline.image_classes.map(({ label, intervals }) => toLane('image', label, label, intervals)),
    ),
  ];
  return { lanes, durationSeconds };
}

/** Whether an object belongs to a lane; scenes have no objects. */
export function isOfLane({ person, label, texts }: TimelineTrack, lane: Lane): boolean {
  switch (lane.kind) {
    case 'person':
      return person !== null && lane.id === `person ${person.id}`;
    case 'object':
      return label === lane.name;
    case 'text':
      return texts.includes(lane.name);
    case 'image':
      return false;
  }
}
