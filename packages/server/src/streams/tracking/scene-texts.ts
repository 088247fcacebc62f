import { agreeOnTexts, isReadingOf, type TextVote, usableTexts } from './text-votes.js';
import type { SceneText, SeenText } from './track-state.js';

/** Readings within so long vote together. */
const votingMs = 60_000;
/** A text that was not read for so long is forgotten: it is new when it comes back. */
const forgetAfterMs = 600_000;
const maxKeptReadings = 60;
const maxKnownTexts = 200;

/** Reads the texts of a scene that are on no tracked object. */
export interface SceneReader {
  /** @returns texts that readings of this frame and earlier ones agree on for the first time */
  read(atMs: number, texts: readonly SeenText[]): readonly SceneText[];
}

export function createSceneReader(): SceneReader {
  let votes: readonly TextVote[] = [];
  let known: readonly { readonly text: string; readonly readAtMs: number }[] = [];
  return {
    read(atMs, texts) {
      const seen = usableTexts(texts.map(({ text, score }) => ({ atMs, text, score })));
      if (seen.length === 0) return [];
      votes = [...votes.filter((vote) => atMs - vote.atMs <= votingMs), ...seen].slice(-maxKeptReadings);
      known = known
        .filter(({ readAtMs }) => atMs - readAtMs <= forgetAfterMs)
        .map((each) =>
          seen.some(({ text }) => isReadingOf(text, each.text)) ? { ...each, readAtMs: atMs } : each,
        );
      const fresh = agreeOnTexts(votes).filter(
        ({ text }) => !known.some((each) => isReadingOf(text, each.text)),
      );
      known = [...known, ...fresh.map(({ text }) => ({ text, readAtMs: atMs }))].slice(-maxKnownTexts);
      return fresh;
    },
  };
}
