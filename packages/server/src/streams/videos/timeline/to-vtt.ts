import { inPieces } from './in-pieces.js';
import type { ShownTimeline, ShownTrack } from './shown-timeline.js';

/** What is seen in one frame alone is shown so long. */
const leastSeconds = 0.5;

/** A timeline as WebVTT: a cue for each track, with the name of its person, or its label, and the texts on it. */
export async function* timelineToVtt({ tracks }: Pick<ShownTimeline, 'tracks'>): AsyncGenerator<string> {
  yield 'WEBVTT\n';
  for await (const piece of inPieces(tracks)) yield piece.map(toCue).join('');
}

function toCue({ id, label, person, texts, startSeconds, endSeconds }: ShownTrack): string {
  const end = Math.max(endSeconds, startSeconds + leastSeconds);
  const lines = [person?.name ?? label, ...texts].map(toCueText);
  return `\n${id}\n${toVttTime(startSeconds)} --> ${toVttTime(end)}\n${lines.join('\n')}\n`;
}

/** Hours have two digits or more. */
export function toVttTime(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`;
}

/** One line of a cue: no tag, no end of the cue, no arrow. */
export function toCueText(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ').trim();
  // An empty line would end the cue.
  if (line === '') return '-';
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
