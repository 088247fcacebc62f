import { Type } from 'typebox';
import type { StreamEventKind as EventKind } from '../storage/tables/streams.js';

export const streamEventKinds = [
  ...(['start', 'update', 'end', 'zone_entered', 'zone_left'] as const),
  ...(['person_recognised', 'text_read'] as const),
] satisfies readonly EventKind[];

export const StreamEventKind = Type.Enum(streamEventKinds, {
  title: 'StreamEventKind',
  description: `one of ${streamEventKinds.join(', ')}`,
});
