import { type Static, Type } from 'typebox';

/** What a classifier's training tells of it. */
export const ClassifierReport = Type.Object({});
export type ClassifierReport = Static<typeof ClassifierReport>;
