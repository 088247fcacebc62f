import 'react';

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Chooses a folder with its contents. Every browser has this attribute; the types of React do not. */
    webkitdirectory?: T extends HTMLInputElement ? '' : never;
  }
}
