import { type Static, Type } from 'typebox';
import { Id, Time, TimeOrNull, toTime, toTimeOrNull } from '../../http/api/fields.js';
import type { Stream as DomainStream } from '../stream.js';
import type { ShownState } from '../stream-states.js';
import { Settings, toSettings } from './settings.js';
import { StreamSource, toSource } from './source.js';

const streamStates = ['connecting', 'running', 'frozen', 'away', 'resting', 'waiting', 'stopped'] as const;

const SizeOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'of its frames, in pixels' });

export const Stream = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    name: Type.String({ examples: ['entrance'] }),
    enabled: Type.Boolean(),
    source: StreamSource,
    settings: Settings,
    state: Type.Object(
      {
        state: Type.Enum([...streamStates], {
          title: 'StreamState',
          description:
            'connecting; running; frozen: all frames are the same; away: no frames come; resting: outside of its schedule; waiting: all places for streams are taken, and accounts take turns; stopped',
        }),
        reason: Type.Union([Type.String(), Type.Null()], {
          description: 'for its owner; null while all is well',
        }),
        since: Time,
        fps: Type.Number({ description: 'frames that are analysed in a second' }),
        width: SizeOrNull,
        height: SizeOrNull,
        last_frame_at: TimeOrNull,
      },
      { description: 'how it is doing, seconds ago' },
    ),
    created_at: Time,
  },
  { title: 'Stream', description: 'A camera or another live source, and what is looked for in its frames' },
);

export function toStream(
  { id, uid, name, isEnabled, source, settings, createdAt }: DomainStream,
  { state, reason, since, fps, width, height, lastFrameAt }: ShownState,
): Static<typeof Stream> {
  return {
    id,
    uid,
    name,
    enabled: isEnabled,
    source: toSource(source),
    settings: toSettings(settings),
    state: {
      state,
      reason,
      since: toTime(since),
      fps,
      width,
      height,
      last_frame_at: toTimeOrNull(lastFrameAt),
    },
    created_at: toTime(createdAt),
  };
}
