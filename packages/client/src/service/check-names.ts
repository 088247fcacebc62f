import { LynceusError } from '../error.js';

/** Whether a call needs an option, and whether it is a list. */
export type Kind = 'needed' | 'optional' | 'needed array' | 'optional array';
export type Kinds = Readonly<Record<string, Kind>>;

/** What is wrong with the names of options, or with arrays among them; the service checks all other values. */
export function findProblem(call: string, given: unknown, kinds: Kinds): string | undefined {
  const known = Object.keys(kinds);
  const options = given === undefined ? {} : given;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return `${call} takes options as an object with these names: ${known.join(', ')}`;
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(kinds, name)) continue;
    const meant = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const advice = Object.hasOwn(kinds, meant) ? `: use ${meant}` : `, which takes ${known.join(', ')}`;
    return `${name} is no option of ${call}${advice}`;
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined || value === null) {
      if (kind.startsWith('needed')) return `${name} is missing`;
    } else if (kind.endsWith('array') && !Array.isArray(value)) return `${name} must be an array`;
  }
  return undefined;
}

/** Throws a LynceusError for options that a call does not know, and for those that it lacks: JavaScript has no types that would. */
export function checkNames(call: string, given: unknown, kinds: Kinds): void {
  const problem = findProblem(call, given, kinds);
  if (problem !== undefined) throw new LynceusError('wrong_parameters', problem);
}
