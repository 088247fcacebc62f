import type { Box as DomainBox, FaceQuality } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { maxNameLength } from '../../accounts/names.js';
import { Id } from '../../http/api/fields.js';
import { trimmedText } from '../../http/api/trimmed-text.js';
import { enrolmentProblems } from '../perception.js';

/** Fields that several operations on perceptions share. A description completes the sentence "NAME must be …". */

export const IdParams = Type.Object({ id: Id });

export const KeyIdInput = trimmedText({
  minLength: 1,
  maxLength: maxNameLength,
  description: `your own id of the person, 1 to ${maxNameLength} characters`,
});

export const KeyId = Type.Union([KeyIdInput, Type.Null()], {
  description: `your own id of the person, 1 to ${maxNameLength} characters, or null for none`,
});

export const ImageIds = Type.Array(Id, {
  minItems: 1,
  maxItems: 500,
  description: 'a list of 1 to 500 ids of images',
});

export const Problem = Type.Enum([...enrolmentProblems], {
  title: 'EnrolmentProblem',
  description: 'What can be wrong with an image of a face; see docs/faces.md',
});

export const Box = Type.Object(
  { x_min: Type.Number(), y_min: Type.Number(), x_max: Type.Number(), y_max: Type.Number() },
  { title: 'FaceBox', description: 'in pixels of the image as it is meant to be seen' },
);

const Measured = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${description}; null for a face that was embedded before this was measured`,
  });

export const Quality = Type.Object(
  {
    size_px: Type.Number({ description: 'of the face: the geometric mean of the sides of its box' }),
    sharpness: Type.Number({ description: '0 for none' }),
    directional_sharpness: Measured('in the direction in which the face is least sharp, 0 for none'),
    coverage: Measured('0 for none; from 1 on a mask, sunglasses or the like cover the face'),
    doubt: Measured(
      'how little is certain of the face; of two faces that both have 1 or more neither names the other',
    ),
    yaw_deg: Type.Number(),
    pitch_deg: Type.Number(),
    roll_deg: Type.Number(),
    brightness: Type.Number({ description: '0 to 255' }),
    problems: Type.Array(Problem, { description: 'what to fix, the worst first' }),
  },
  { title: 'FaceQuality' },
);

export function toBox({ xMin, yMin, xMax, yMax }: DomainBox): Static<typeof Box> {
  return { x_min: xMin, y_min: yMin, x_max: xMax, y_max: yMax };
}

export function toQuality(quality: FaceQuality): Static<typeof Quality> {
  const { sizePx, sharpness, directionalSharpness, coverage, doubt, ...rest } = quality;
  const { yawDeg, pitchDeg, rollDeg, brightness, problems } = rest;
  return {
    size_px: sizePx,
    sharpness,
    directional_sharpness: directionalSharpness ?? null,
    coverage: coverage ?? null,
    doubt: doubt ?? null,
    yaw_deg: yawDeg,
    pitch_deg: pitchDeg,
    roll_deg: rollDeg,
    brightness,
    problems: [...problems],
  };
}
