import type { Model } from '../onnx/proto/model.js';
import type { ImageScale } from '../onnx/recipe.js';
import type { NetHints, NetInput } from './net.js';

const upTo1: ImageScale = { channels: 'rgb', mean: [0], std: [255] };

/** Hints in the metadata of an ONNX file: Ultralytics writes `names`, `stride`, `imgsz` and `task`. */
export function onnxHints(model: Model, { channels }: NetInput): NetHints {
  const entries = new Map((model.metadataProps ?? []).map(({ key = '', value = '' }) => [key, value]));
  const labels = readNames(entries.get('names') ?? '') ?? readList(entries.get('labels') ?? '');
  const task = entries.get('task');
  const isUltralytics = entries.has('stride') || /ultralytics/i.test(entries.get('author') ?? '');
  const [side] = /\d+/.exec(entries.get('imgsz') ?? '') ?? [];
  return {
    ...(labels && { labels }),
    ...(side !== undefined && { side: Number(side) }),
    ...(isUltralytics && channels === 3 && { scale: upTo1 }),
    ...(isUltralytics && task === 'classify' && { family: 'classifier' as const, fit: 'centre' as const }),
    ...(isUltralytics && task !== 'classify' && { family: 'detector' as const, fit: 'letterbox' as const }),
    ...(isUltralytics && { maker: entries.get('description')?.slice(0, 200) ?? 'Ultralytics' }),
  };
}

/** A table as Python prints it, {0: 'person', 1: 'bicycle'}, or as JSON has it. */
export function readNames(text: string): string[] | undefined {
  if (text.length > 1_000_000) return undefined;
  const names: string[] = [];
  const entry =
    /(?:^|[{,])\s*["']?(\d{1,5})["']?\s*:\s*(?:'((?:[^'\\]|\\.){1,200})'|"((?:[^"\\]|\\.){1,200})")/g;
  for (const [, index, single, double] of text.matchAll(entry)) {
    if (Number(index) !== names.length) return undefined;
    names.push((single ?? double ?? '').replace(/\\(.)/g, '$1'));
  }
  return names.length > 0 ? names : readList(text);
}

function readList(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const isNames = Array.isArray(list) && list.length > 0 && list.every((item) => typeof item === 'string');
    return isNames ? list.map((name: string) => name.slice(0, 200)) : undefined;
  } catch {
    return undefined;
  }
}
