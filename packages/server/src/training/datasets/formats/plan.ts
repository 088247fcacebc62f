import type { Box } from '@lynceus/engine';
import type { Split } from '../dataset.js';
import type { DatasetProblem } from '../findings.js';

export const formatNames = ['folders', 'coco', 'voc', 'yolo', 'csv'] as const;
export type FormatName = (typeof formatNames)[number];
/** Formats that an import reads; an export writes the first of them. */
export const readableFormats = [...formatNames, 'kitti', 'createml', 'cvat', 'via'] as const;
export type ReadableFormat = (typeof readableFormats)[number];

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlannedLabel {
  readonly className: string;
  readonly box: Box | null;
  /** What the box is in: pixels of the image, or shares of its sides. */
  readonly unit: 'pixels' | 'share';
  /** Of the image as the file of the label says it, in pixels. */
  readonly declared?: Size;
  /** What the box was drawn around; absent when the file has a box. */
  readonly outline?: 'polygon' | 'mask' | 'ellipse' | 'rotated box';
  /** Whether the file has its left side right of its right one, or its top below its bottom. */
  readonly isSwapped?: boolean;
}

/** An image of a tree, and what the tree's own files say of it. */
export interface PlannedImage {
  /** In the tree. */
  readonly path: string;
  readonly split: Split | null;
  /** Null when nothing says; empty when it shows none of the classes, unless labels were lost. */
  readonly labels: readonly PlannedLabel[] | null;
  /** Labels that its files have and that cannot be used: each is in one finding. */
  readonly lost: number;
  /** Whether it lacks labels that nobody can count, as of a damaged file; absent: it does not. */
  readonly isIncomplete?: boolean;
}

export interface PlanFinding {
  readonly problem: DatasetProblem;
  readonly file: string | null;
  readonly message: string;
  /** Labels that cannot be used because of it. */
  readonly labels: number;
}

export interface Plan {
  readonly format: ReadableFormat;
  /** In the order in which they shall be added. */
  readonly classes: readonly string[];
  /** Of them those that the files define and give no label: they are added all the same. None unless given. */
  readonly unlabelled?: readonly string[];
  readonly images: readonly PlannedImage[];
  readonly findings: readonly PlanFinding[];
}

/** Files that lie in a zip or in a folder; paths are relative, with `/`. */
export interface Tree {
  readonly paths: readonly string[];
  /** Images that are none of `paths` unless annotations name them, such as masks of segmentation. */
  readonly masks?: readonly string[];
  /** Throws `FormatError` for one that is too large or no text. */
  readText(path: string): Promise<string>;
  /** The same text in pieces, for files that need not be in memory as a whole. Throws `FormatError` amid them. */
  streamText(path: string): AsyncIterable<string>;
}

/** Why nothing of a tree can be imported; for its owner to read. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** The files are of another format. */
export class OtherFormatError extends FormatError {}

/** Files that say something, and are no images whatever they hold. */
const texts = /\.(txt|md|json|jsonl|xml|csv|tsv|ya?ml|names|data|cfg|html?|pdf|zip|license)$/i;

/** Whether a file may be an image; its bytes decide. */
export function maybeImage(path: string): boolean {
  return !texts.test(path) && !/(^|\/)(README|LICENSE|NOTICE)$/i.test(path);
}

/** What a part of a path says about the split: `train`, `val`, `test` and the like. */
export function splitOf(word: string): Split | null {
  if (/(^|[^a-z])(train|training)([^a-z]|$)/i.test(word)) return 'train';
  return /(^|[^a-z])(val|valid|validation|test|testing|held-out)([^a-z]|$)/i.test(word) ? 'held-out' : null;
}

/** The split that the folders of a path tell, the innermost first. */
export function splitOfFolders(path: string): Split | null {
  for (const folder of path.split('/').slice(0, -1).reverse()) {
    const split = /^[a-z-]+\d*$/i.test(folder) ? splitOf(folder.replace(/\d+$/, '')) : null;
    if (split !== null) return split;
  }
  return null;
}

export function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
}

export function baseOf(path: string): string {
  return path.replace(/^.*\//, '');
}

/** Of a wrong kind, undefined. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Undefined for what is no size, such as the zeros that labelling programs write when they do not know it. */
export function sizeOf(width: unknown, height: unknown): Size | undefined {
  const [x, y] = [numberOf(width), numberOf(height)];
  return x !== undefined && y !== undefined && x >= 1 && y >= 1 ? { width: x, height: y } : undefined;
}

/** Of a wrong kind, or without the field, undefined. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A class as annotations name it: text, or a number that stands for one. */
export function classNameOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
