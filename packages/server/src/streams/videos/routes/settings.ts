import { type Static, Type } from 'typebox';
import { toCamel, toSnake } from '../../../core/snake-names.js';
import { Id } from '../../../http/api/fields.js';
import { snakeFields } from '../../../http/api/snake-fields.js';
import { ClassFilter } from '../../routes/settings.js';
import { classList } from '../../stream-settings.js';
import { VideoSettings } from '../video-settings.js';

const { modelReference: _, classes: __, ...plain } = VideoSettings.properties;
const modelText = 'the number or UID of a detector; null for that of the service';
const fields = { ...snakeFields(plain), classes: Type.Array(ClassFilter, classList) };

/** What is looked for in a video, every field. */
export const Settings = Type.Object(
  { model_id: Type.Union([Type.String(), Type.Null()], { description: modelText }), ...fields },
  { title: 'VideoSettings', description: 'What is looked for in the frames of a video' },
);

/** Those that shall be otherwise than usual. */
export const SettingsInput = Type.Partial(
  Type.Object({
    model_id: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Id, Type.Null()], {
      description: modelText,
    }),
    ...fields,
  }),
  {
    title: 'VideoSettingsInput',
    additionalProperties: false,
    description: 'an object with the settings that shall be otherwise than usual',
  },
);

export function fromSettings({
  model_id,
  classes,
  ...rest
}: Static<typeof SettingsInput>): Partial<VideoSettings> {
  return {
    ...toCamel(rest),
    ...(model_id === undefined ? {} : { modelReference: model_id === null ? null : String(model_id) }),
    ...(classes === undefined ? {} : { classes: classes.map((each) => toCamel(each)) }),
  };
}

export function toSettings({ modelReference, classes, ...rest }: VideoSettings): Static<typeof Settings> {
  return { model_id: modelReference, ...toSnake(rest), classes: classes.map((each) => toSnake(each)) };
}
