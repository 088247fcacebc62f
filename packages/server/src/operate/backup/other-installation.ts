import { StorageError } from '../../storage/storage-error.js';

/** Of which installation an archive is. */
export interface ExpectedInstallation {
  /** Null where it does not say. */
  readonly uid: string | null;
  /** Whether an operator said that it takes the place of another. */
  readonly mayReplaceOther: boolean;
}

/** For commands: what an operator says to put an archive in the place of another installation. */
export const otherInstallationFlag = '--other-installation';

/** Throws for an archive of another installation than what it would replace. */
export function refuseOtherInstallation(
  { uid, mayReplaceOther }: ExpectedInstallation,
  present: string | null,
  where: string,
): void {
  if (mayReplaceOther || uid === null || present === null || uid === present) return;
  throw new StorageError(
    'mismatch',
    `Nothing was restored: the archive is of the installation ${uid}, and ${where} is of the installation ${present}. Restore it into an empty data folder and database, or, if it shall take the place of that installation, add ${otherInstallationFlag}.`,
  );
}
