import { type Static, Type } from 'typebox';
import type { DatasetReceipt } from '../deletion.js';

export const Receipt = Type.Object(
  {
    images: Type.Integer(),
    labels: Type.Integer(),
    classes: Type.Integer(),
    image_bytes: Type.Integer(),
  },
  { title: 'DatasetReceipt', description: 'What was deleted, for good' },
);

export function toReceipt({ bytes, ...counts }: DatasetReceipt): Static<typeof Receipt> {
  return { ...counts, image_bytes: bytes };
}
