import { Type } from 'typebox';

/** A property that may be missing or null. */
export const OrNull = <T extends Parameters<typeof Type.Optional>[0]>(type: T, description: string) =>
  Type.Optional(Type.Union([type, Type.Null()], { description }));
