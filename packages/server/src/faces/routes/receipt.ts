import { type Static, Type } from 'typebox';
import type { DeletionReceipt } from '../deletion-receipt.js';

export const Receipt = Type.Object(
  {
    people: Type.Integer(),
    images: Type.Integer(),
    embeddings: Type.Integer(),
    corrections: Type.Integer(),
    image_bytes: Type.Integer(),
  },
  { title: 'DeletionReceipt', description: 'What was deleted, for good' },
);

export function toReceipt({ bytes, ...counts }: DeletionReceipt): Static<typeof Receipt> {
  return { ...counts, image_bytes: bytes };
}
