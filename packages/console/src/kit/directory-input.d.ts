import 'react';

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Chooses a folder with all that is in it; every browser has it, no types do. */
    webkitdirectory?: T extends HTMLInputElement ? '' : never;
  }
}
