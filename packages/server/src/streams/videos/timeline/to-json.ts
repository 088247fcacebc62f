import { inPieces } from './in-pieces.js';
import type { ShownTimeline, ShownTrack } from './shown-timeline.js';
import type { Interval } from './timeline.js';

/** A timeline as the management API answers it, piece by piece. */
export async function* timelineToJson(timeline: ShownTimeline): AsyncGenerator<string> {
  const { video, isCut, people, texts, classes, imageClasses, tracks } = timeline;
  const intervals = (list: readonly Interval[]) => list.map(toInterval);
  const head = {
    video: {
      duration_seconds: video.durationSeconds,
      width: video.width,
      height: video.height,
      codec: video.codec,
      fps: video.fps,
    },
    is_cut: isCut,
    people: people.map((each) => ({ person: each.person, intervals: intervals(each.intervals) })),
    texts: texts.map((each) => ({ text: each.text, intervals: intervals(each.intervals) })),
    classes: classes.map((each) => ({ label: each.label, intervals: intervals(each.intervals) })),
    image_classes: imageClasses.map((each) => ({ label: each.label, intervals: intervals(each.intervals) })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"tracks":[`;
  let isFirst = true;
  for await (const piece of inPieces(tracks)) {
    yield (isFirst ? '' : ',') + piece.map((track) => JSON.stringify(toTrack(track))).join(',');
    isFirst = false;
  }
  yield ']}\n';
}

function toInterval({ startSeconds, endSeconds }: Interval) {
  return { start_seconds: startSeconds, end_seconds: endSeconds };
}

function toTrack({
  id,
  label,
  score,
  bestSeconds,
  box,
  person,
  texts,
  thumbnailId,
  ...interval
}: ShownTrack) {
  return {
    ...{ id, label, score },
    ...toInterval(interval),
    best_seconds: bestSeconds,
    box: { x_min: box.xMin, y_min: box.yMin, x_max: box.xMax, y_max: box.yMax },
    ...{ person, texts },
    thumbnail: thumbnailId,
  };
}
