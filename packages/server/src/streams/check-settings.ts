import { caseFold, checkName } from '../accounts/names.js';
import { ServiceError } from '../core/service-error.js';
import { toSnakeName } from '../core/snake-names.js';
import { isSimplePolygon } from './simple-polygon.js';
import { compiledStreamSettings, type StreamSettings } from './stream-settings.js';

/** Absent: as it is. */
export type StreamSettingsChange = Partial<Omit<StreamSettings, 'classes' | 'zones'>> & {
  /** Without a score of its own a class has that of the settings; without an area any. */
  readonly classes?: readonly (Pick<ClassFilter, 'label'> & Partial<ClassFilter>)[] | undefined;
  /** Without classes a zone is for all. */
  readonly zones?: readonly (Omit<Zone, 'classes'> & Partial<Zone>)[] | undefined;
};
type ClassFilter = StreamSettings['classes'][number];
type Zone = StreamSettings['zones'][number];

/**
 * Settings with a change, field by field, checked in themselves; what they refer to is not. Throws `wrong_parameters`, naming
 * the field.
 */
export function mergeSettings(old: StreamSettings, change: StreamSettingsChange): StreamSettings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { minScore = old.minScore, classes, zones: newZones } = change;
  const merged: unknown = {
    ...{ ...old, ...given },
    ...(classes && { classes: classes.map((filter) => ({ minScore, minArea: 0, ...filter })) }),
    ...(newZones && { zones: newZones.map((zone) => ({ classes: [], ...zone })) }),
  };
  const [fault] = compiledStreamSettings.Errors(merged);
  if (fault) throw wrong(fieldAt(fault.instancePath), fault.message);
  const settings = compiledStreamSettings.Parse(merged);
  const zones = settings.zones.map((zone, at) => ({
    ...zone,
    name: checkName(`settings.zones[${at}].name`, zone.name),
  }));
  checkZones(zones);
  for (const [at, mask] of settings.masks.entries()) checkPolygon(`masks[${at}]`, mask);
  checkTimeZone(settings.timeZone);
  return { ...settings, zones };
}

function checkZones(zones: StreamSettings['zones']): void {
  const taken = new Set<string>();
  for (const [at, { name, polygon }] of zones.entries()) {
    const folded = caseFold(name);
    if (taken.has(folded))
      throw wrong(`zones[${at}].name`, `must differ from the names of other zones: ${name}`);
    taken.add(folded);
    checkPolygon(`zones[${at}].polygon`, polygon);
  }
}

function checkPolygon(field: string, polygon: StreamSettings['masks'][number]): void {
  if (isSimplePolygon(polygon)) return;
  throw wrong(field, 'must enclose an area with edges that do not cross each other');
}

function checkTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw wrong('timeZone', 'must be a time zone such as Europe/Berlin');
  }
}

function wrong(field: string, problem: string): ServiceError {
  return new ServiceError('wrong_parameters', `settings.${toSnakeName(field)} ${problem}`);
}

/** `zones[0].polygon` for `/zones/0/polygon`. */
function fieldAt(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}
