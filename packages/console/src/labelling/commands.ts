/** A command of the labelling page. */
export type Command =
  | { readonly kind: 'class'; readonly index: number }
  | { readonly kind: 'nudge' | 'resize'; readonly dx: number; readonly dy: number }
  | { readonly kind: Plain };

type Plain =
  | 'none'
  | 'next'
  | 'previous'
  | 'next-unlabelled'
  | 'accept'
  | 'delete'
  | 'undo'
  | 'redo'
  | 'release'
  | 'add-box'
  | 'zoom-in'
  | 'zoom-out'
  | 'fit';

interface KeyPressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Shortcut keys of classes, in the order of the classes; 0 is "none of the classes". */
export const classKeys = '123456789abcdefghijklmnopqrstuvwxyz';

const nudgePixels = 1;
const largeNudgePixels = 10;

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const plain: Readonly<Record<string, Plain>> = {
  '0': 'none',
  PageDown: 'next',
  PageUp: 'previous',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  End: 'next-unlabelled',
  Enter: 'accept',
  Delete: 'delete',
  Backspace: 'delete',
  Escape: 'release',
  Insert: 'add-box',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  Home: 'fit',
};

/** Null: no shortcut. With a box selected, arrows move it by pixels of the image; with Alt they resize it. */
export function commandOf(pressed: KeyPressed, hasChosenBox: boolean): Command | null {
  const { key, shiftKey, altKey } = pressed;
  if (pressed.ctrlKey || pressed.metaKey) {
    if (key.toLowerCase() === 'z') return { kind: shiftKey ? 'redo' : 'undo' };
    return key.toLowerCase() === 'y' ? { kind: 'redo' } : null;
  }
  const arrow = arrows[key];
  if (arrow && hasChosenBox) {
    const pixels = shiftKey ? largeNudgePixels : nudgePixels;
    return { kind: altKey ? 'resize' : 'nudge', dx: arrow[0] * pixels, dy: arrow[1] * pixels };
  }
  if (altKey) return null;
  const asked = plain[key];
  if (asked) return { kind: asked };
  const index = key.length === 1 ? classKeys.indexOf(key.toLowerCase()) : -1;
  return index < 0 ? null : { kind: 'class', index };
}
