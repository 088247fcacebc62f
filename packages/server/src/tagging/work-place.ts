import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder for the temporary files of one image. */
export interface WorkFolder {
  /** The path of a file in it: without line breaks, whatever the folder of the image is called. */
  at(name: string): string;
  remove(): Promise<void>;
}

/** Gives each work folder a plain path by a link: exiftool takes one argument a line. */
export interface WorkPlace {
  /** Of this real folder, which is removed with it; one of the temporary folder unless given. */
  open(real?: string): Promise<WorkFolder>;
}

/** @param dir a temporary folder of the command, whose path is plain */
export function createWorkPlace(dir: string): WorkPlace {
  let serial = 0;
  return {
    async open(real) {
      serial += 1;
      const path = join(dir, `w${serial}`);
      if (real === undefined) await mkdir(path, { mode: 0o700 });
      else await symlink(real, path);
      return {
        at: (name) => join(path, name),
        async remove() {
          // Of a link, the link alone.
          await rm(path, { recursive: true, force: true });
          if (real !== undefined) await rm(real, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    },
  };
}
