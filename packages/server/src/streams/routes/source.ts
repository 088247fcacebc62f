import { type Static, Type } from 'typebox';
import { toCamel, toSnake } from '../../core/snake-names.js';
import { snakeFields } from '../../http/api/snake-fields.js';
import {
  type ShownAddress,
  type ShownSource,
  SourceInput,
  SourceKind,
  sourceKinds,
  substreamText,
} from '../stream.js';

const strict = { additionalProperties: false };
const { substream: substreamInput, ...inputs } = SourceInput.properties;
const substreamObject = substreamInput.anyOf[0];

/** Where the frames of a stream shall come from, with its password. */
export const StreamSourceInput = Type.Object(
  {
    ...snakeFields(inputs),
    substream: Type.Optional(
      Type.Union(
        [Type.Object(substreamObject.properties, { ...strict, title: 'StreamSubstreamInput' }), Type.Null()],
        { description: substreamText },
      ),
    ),
  },
  {
    ...strict,
    title: 'StreamSourceInput',
    description: `an object with kind (${sourceKinds.join(', ')}) and what that kind takes`,
  },
);

const shownAddress = {
  username: Type.Union([Type.String(), Type.Null()]),
  has_password: Type.Boolean(),
  transport: Type.Enum(['tcp', 'udp'], { description: 'of RTSP' }),
};
const addressText = 'without credentials; what is secret in it is ***';

/** The same without what is secret. */
export const StreamSource = Type.Object(
  {
    kind: SourceKind,
    address: Type.Union([Type.String(), Type.Null()], {
      description: addressText,
      examples: ['rtsp://192.168.1.20/stream1'],
    }),
    ...shownAddress,
    device: Type.Union([Type.String(), Type.Null()]),
    video_id: Type.Union([Type.Integer(), Type.Null()]),
    certificate_unchecked: Type.Boolean(),
    substream: Type.Union([
      Type.Object(
        { address: Type.String({ description: addressText }), ...shownAddress },
        { title: 'StreamSubstream' },
      ),
      Type.Null(),
    ]),
  },
  { title: 'StreamSource', description: 'Where the frames of a stream come from, without what is secret' },
);

export function fromSource(given: Static<typeof StreamSourceInput>): SourceInput {
  return toCamel(given);
}

export function toSource({ substream, ...source }: ShownSource): Static<typeof StreamSource> {
  return { ...toSnake(source), substream: substream && toSnake<ShownAddress>(substream) };
}
