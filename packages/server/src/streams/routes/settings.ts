import { type Static, Type } from 'typebox';
import { toCamel, toSnake } from '../../core/snake-names.js';
import { Id } from '../../http/api/fields.js';
import { snakeFields } from '../../http/api/snake-fields.js';
import type { StreamSettingsChange } from '../check-settings.js';
import { classList, StreamSettings, zoneList } from '../stream-settings.js';

const { modelReference: _, classes, zones: zoneSchema, ...plain } = StreamSettings.properties;
const modelText = 'the number or UID of a detector; null for that of the service';
const strict = { additionalProperties: false };

export const ClassFilter = Type.Object(snakeFields(classes.items.properties), {
  ...strict,
  title: 'StreamClassFilter',
});
const fields = {
  ...snakeFields(plain),
  classes: Type.Array(ClassFilter, classList),
  zones: Type.Array(Type.Object(zoneSchema.items.properties, { ...strict, title: 'StreamZone' }), zoneList),
};

/** What is looked for in a stream, every field. */
export const Settings = Type.Object(
  { model_id: Type.Union([Type.String(), Type.Null()], { description: modelText }), ...fields },
  {
    title: 'StreamSettings',
    description: 'What is looked for in the frames of a stream, and what is kept of it',
  },
);

const { label, min_score, min_area } = ClassFilter.properties;
const { classes: zoneClasses, ...zone } = zoneSchema.items.properties;
const inputs = {
  ...fields,
  classes: Type.Array(
    Type.Object(
      { label, min_score: Type.Optional(min_score), min_area: Type.Optional(min_area) },
      { ...strict, title: 'StreamClassFilterInput' },
    ),
    classList,
  ),
  zones: Type.Array(
    Type.Object({ ...zone, classes: Type.Optional(zoneClasses) }, { ...strict, title: 'StreamZoneInput' }),
    zoneList,
  ),
};

/** Those that shall be otherwise than they are. */
export const SettingsInput = Type.Partial(
  Type.Object({
    model_id: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Id, Type.Null()], {
      description: modelText,
    }),
    ...inputs,
  }),
  {
    title: 'StreamSettingsInput',
    ...strict,
    description: 'an object with the settings that shall be otherwise',
  },
);
export type SettingsInput = Static<typeof SettingsInput>;

export function fromSettings({
  model_id,
  classes: filters,
  zones,
  ...rest
}: SettingsInput): StreamSettingsChange {
  return {
    ...toCamel(rest),
    ...(model_id === undefined ? {} : { modelReference: model_id === null ? null : String(model_id) }),
    ...(filters === undefined ? {} : { classes: filters.map((each) => toCamel(each)) }),
    ...(zones === undefined ? {} : { zones }),
  };
}

export function toSettings({
  modelReference,
  classes: filters,
  ...rest
}: StreamSettings): Static<typeof Settings> {
  return { model_id: modelReference, ...toSnake(rest), classes: filters.map((each) => toSnake(each)) };
}
