import type { Terminal } from './install-progress.js';

const barWidth = 24;

/**
 * A line that is drawn again below the lines of a command, on a terminal alone.
 * A bar with the number of images, how many there are a second, and the time that is left.
 */
export function createImageProgress(terminal: Terminal, images: number, now: () => number = Date.now) {
  const startMs = now();
  return {
    /** Takes the line away for as long as something else is printed. */
    clear() {
      if (terminal.isTTY) terminal.write('\r\x1b[K');
    },
    draw(done: number) {
      if (!terminal.isTTY) return;
      const share = Math.min(1, done / Math.max(1, images));
      const filled = Math.round(share * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const aSecond = (done * 1000) / Math.max(1, now() - startMs);
      const leftSeconds = Math.round(Math.max(0, images - done) / Math.max(aSecond, 0.01));
      const text = `Images ${bar} ${done} of ${images}  ${aSecond.toFixed(1)}/s  ${leftSeconds} s left`;
      terminal.write(`\r\x1b[K${text.slice(0, (terminal.columns ?? 80) - 1)}`);
    },
  };
}
