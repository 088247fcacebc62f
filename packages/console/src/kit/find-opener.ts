/** What the keyboard was at when something opens, to come back to: of a menu, which is gone by then, the button that opens it. */
export function findOpener(): HTMLElement | null {
  const at = document.activeElement;
  const button = at?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : at;
  return opener instanceof HTMLElement ? opener : null;
}
