/** What the service accepts in a field. */
interface FieldLimits {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  /** The minimum, which is itself too small. */
  readonly above?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  readonly maxItems?: number;
  readonly default?: unknown;
}

/** By the field's name in the API. */
export type ApiLimits = Readonly<Record<string, FieldLimits>>;

/** Throws for a field that the API does not have: the page and the service disagree. */
export function findLimits(limits: ApiLimits, field: string): FieldLimits {
  const found = limits[toApiName(field)];
  if (!found) throw new Error(`The API states no limits of ${field}`);
  return found;
}

/** `keyId` is `key_id` in the API. */
export const toApiName = (field: string) => field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** The attributes of an input that holds a text. */
export function textLimits(limits: ApiLimits, field: string) {
  const { required, maxLength } = findLimits(limits, field);
  return { ...(required ? { required } : {}), ...(maxLength === undefined ? {} : { maxLength }) };
}

/** The attributes of an input that holds a number. */
export function numberLimits(limits: ApiLimits, field: string) {
  const { required, above, min = above, max, isWhole } = findLimits(limits, field);
  return {
    ...(required ? { required } : {}),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(isWhole ? { allowDecimal: false } : {}),
  };
}

/** The attributes of an input that holds several texts. */
export function listLimits(limits: ApiLimits, field: string) {
  const { required, maxItems } = findLimits(limits, field);
  return { ...(required ? { required } : {}), ...(maxItems === undefined ? {} : { maxTags: maxItems }) };
}

/** Whether the service accepts this as the number of a field. An empty field is not a number. */
export function isInLimits(limits: ApiLimits, field: string, value: unknown): boolean {
  const { min = -Infinity, above = -Infinity, max = Infinity, isWhole } = findLimits(limits, field);
  if (typeof value !== 'number') return false;
  return value >= min && value > above && value <= max && (!isWhole || Number.isInteger(value));
}
