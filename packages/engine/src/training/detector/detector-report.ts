import { type Static, Type } from 'typebox';

/** What a detector's training tells of it. */
export const DetectorReport = Type.Object({});
export type DetectorReport = Static<typeof DetectorReport>;
