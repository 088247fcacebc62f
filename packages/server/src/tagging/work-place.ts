import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the temporary files of one image. */
export interface WorkFolder {
  /** The path of a file in it: without line breaks, whatever the folder of the image is called. */
  at(name: string): string;
  remove(): Promise<void>;
}

/** Gives each work folder a plain path: exiftool takes one argument a line. */
export type WorkPlace = ReturnType<typeof createWorkPlace>;

/** @param makeDir makes a temporary folder with a plain path; called once, when the first one is needed */
export function createWorkPlace(makeDir: () => Promise<string>) {
  let serial = 0;
  let made: Promise<string> | undefined;
  const nextPath = async () => {
    made ??= makeDir();
    serial += 1;
    // Before the wait: others count on meanwhile.
    const name = `w${serial}`;
    return join(await made, name);
  };
  return {
    /** Of this real folder, which is removed with it; one of the temporary folder unless given. */
    async open(real?: string): Promise<WorkFolder> {
      const isPlain = real !== undefined && !/[\r\n]/.test(real);
      const path = isPlain ? real : await nextPath();
      if (real === undefined) await mkdir(path, { mode: 0o700 });
      else if (!isPlain) await symlink(real, path);
      return {
        at: (name) => join(path, name),
        async remove() {
          // Of a link, the link alone.
          await rm(path, { recursive: true, force: true, maxRetries: 3 });
          if (real !== undefined) await rm(real, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    },
  };
}
