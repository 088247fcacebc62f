import { type Static, Type } from 'typebox';
import type { DatasetReceipt } from '../../datasets/deletion.js';

export const Receipt = Type.Object(
  {
    pictures: Type.Integer(),
    labels: Type.Integer(),
    classes: Type.Integer(),
    picture_bytes: Type.Integer(),
  },
  { description: 'What was deleted, for good' },
);

export function toReceipt({ bytes, ...counts }: DatasetReceipt): Static<typeof Receipt> {
  return { ...counts, picture_bytes: bytes };
}
