/** The acknowledged changes of faces, over all lives of the service. */
export interface FaceLedger {
  /** Images by their id whose enrolment was answered. */
  readonly images: Map<number, ImageEntry>;
  /** People whose creation was answered. */
  readonly people: Map<number, PersonEntry>;
  /** Enrolments that were sent. */
  sent: number;
  /** Moves, merges and deletions of images that were answered. */
  changed: number;
}

/** `maybe`: requested, and never answered. */
export type Certainty = 'no' | 'maybe' | 'yes';

/** A person's id, or the key id of one. */
export type Owner = number | string;

export interface ImageEntry {
  readonly image: Buffer;
  /** Possible owners: one, unless its last move was never answered. */
  owners: readonly Owner[];
  isDeleted: Certainty;
  /** A client is changing it. */
  isBusy: boolean;
}

export interface PersonEntry {
  isMerged: Certainty;
  /** The person they were merged into, perhaps. */
  into: number | null;
}

export function createFaceLedger(): FaceLedger {
  return { images: new Map(), people: new Map(), sent: 0, changed: 0 };
}

/** People without a requested deletion. */
export function stayingPeople({ people }: FaceLedger): readonly number[] {
  return [...people].filter(([, { isMerged }]) => isMerged === 'no').map(([id]) => id);
}

/** Images that no client is changing. */
export function settledImages({ images }: FaceLedger): readonly (readonly [number, ImageEntry])[] {
  return [...images].filter(([, { isDeleted, isBusy }]) => isDeleted === 'no' && !isBusy);
}

/** Possible owners of an image after all merges: a person's id, or a key id. */
export function ownersNow(ledger: Pick<FaceLedger, 'people'>, owners: readonly Owner[]): readonly Owner[] {
  return owners.flatMap((owner): readonly Owner[] => {
    const person = typeof owner === 'number' ? ledger.people.get(owner) : undefined;
    if (!person || person.isMerged === 'no' || person.into === null) return [owner];
    const further = ownersNow(ledger, [person.into]);
    return person.isMerged === 'yes' ? further : [owner, ...further];
  });
}
