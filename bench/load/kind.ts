import type { ImageHost } from './image-host.js';
import type { Images } from './images.js';
import type { Visitor } from './visitor.js';

/** What a kind of request needs to be sent. */
export interface Scene {
  readonly url: string;
  /** Of an account without a limit. Its good calls are counted. */
  readonly key: string;
  /** For calls that are given up half-way: whether they counted cannot be known exactly. */
  readonly fickleKey: string;
  /** Of a trial without calls. */
  readonly spentKey: string;
  readonly images: Images;
  readonly host: ImageHost;
}

export interface Kind {
  readonly name: string;
  /** Its share of a deck of requests. */
  readonly weight: number;
  /** What may be answered, as `outcomeOf` has it. The first is the rule and must be heard at least once. */
  readonly answers: readonly [string, ...string[]];
  /** Whose `200` counts as a call: of the scene's key, of the fickle one, or none. */
  readonly counts?: 'key' | 'fickle';
  /** Its times are compared: with slow clients beside it, and without. */
  readonly isTimed?: boolean;
  send(visitor: Visitor, scene: Scene): Promise<string>;
}
