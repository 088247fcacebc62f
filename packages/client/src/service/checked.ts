import { LynceusError } from '../error.js';
import type { CallOptions } from '../options.js';

type Names<Options> = Options extends unknown ? keyof Options : never;
type Value<Options, Name> = Options extends unknown
  ? Name extends keyof Options
    ? Options[Name]
    : never
  : never;
/** Of unions, what all members need is needed. */
type Need<Options, Name> = Name extends keyof Options
  ? Record<never, never> extends Pick<Options, Name>
    ? 'optional'
    : 'needed'
  : 'optional';
type Kind<Options, Name> = [NonNullable<Value<Options, Name>>] extends [readonly unknown[]]
  ? `${Need<Options, Name>} array`
  : Need<Options, Name>;
/** Every option with its kind: a list that lacks one, or that calls it optional where it is needed, does not compile. */
export type Kinds<Options> = { readonly [Name in Names<Options>]: Kind<Options, Name> };

type Parts<Call> = Call extends (...given: infer Given) => infer Result
  ? Required<Given> extends readonly [...infer Before, infer Options]
    ? { readonly at: Before['length']; readonly options: Options; readonly result: Result }
    : never
  : never;
type OwnKinds<Options> = Omit<Kinds<Options>, keyof CallOptions>;
type Take<Call> =
  Parts<Call> extends { at: infer At; options: infer Options; result: infer Result }
    ? Result extends AsyncGenerator
      ? readonly [at: At, kinds: OwnKinds<Options>, walks: true]
      : keyof OwnKinds<Options> extends never
        ? never
        : readonly [at: At, kinds: OwnKinds<Options>]
    : never;
/** For each call with options beside those of every call, and for each that is walked: where its options are, and which. */
export type Takes<Calls> = {
  readonly [Name in keyof Calls as [Take<Calls[Name]>] extends [never] ? never : Name]: Take<Calls[Name]>;
};

type AnyKinds = Readonly<Record<string, string>>;
type AnyTake = readonly [at: number, kinds: AnyKinds, walks?: boolean];
const ofEveryCall: AnyKinds = { signal: 'optional', timeoutMs: 'optional' };

/** What is wrong with the names of options, or with arrays among them; the service checks all other values. */
export function findProblem(call: string, given: unknown, kinds: AnyKinds): string | undefined {
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

/** Throws a LynceusError for options that a call does not know, and for those that it lacks. */
export function checkNames<Options extends object>(
  call: string,
  given: Options,
  kinds: NoInfer<Kinds<Options>>,
): void {
  check(call, given, kinds);
}

function check(call: string, given: unknown, kinds: AnyKinds): void {
  const problem = findProblem(call, given, kinds);
  if (problem !== undefined) throw new LynceusError('wrong_parameters', problem);
}

/**
 * The same calls, which check the names of their options before they send anything: JavaScript has no types that would. All
 * that they throw is a LynceusError.
 */
export function checked<Calls extends object>(of: string, calls: Calls, takes: NoInfer<Takes<Calls>>): Calls {
  const entries = Object.entries(calls).map(([name, run]: [string, unknown]) => {
    if (typeof run !== 'function') return [name, run];
    const call = of ? `${of}.${name}` : name;
    // Options that a call may lack do not count in its length.
    const [at, kinds, walks] = (Reflect.get(takes, name) as AnyTake | undefined) ?? [run.length, {}];
    const allKinds = { ...kinds, ...ofEveryCall };
    const start = (given: unknown[]) => {
      check(call, given[at], allKinds);
      return Reflect.apply(run, undefined, given);
    };
    const fail = (error: unknown) => {
      if (error instanceof LynceusError) throw error;
      const reason = error instanceof Error ? error.message : error;
      const message = `${call} cannot use what it was given: ${reason}`;
      throw new LynceusError('wrong_parameters', message, { cause: error });
    };
    const walk = async function* (...given: unknown[]) {
      try {
        yield* start(given);
      } catch (error) {
        fail(error);
      }
    };
    const ask = async (...given: unknown[]) => {
      try {
        return await start(given);
      } catch (error) {
        return fail(error);
      }
    };
    return [name, walks ? walk : ask];
  });
  return Object.fromEntries(entries) as Calls;
}
