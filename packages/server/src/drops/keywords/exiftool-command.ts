import { StringDecoder } from 'node:string_decoder';
import { ExifToolTask } from 'exiftool-vendored';
import { type CommandOutput, maxOutputChars } from './command-output.js';

/**
 * The end of a command's output. By itself the library takes these letters for it wherever they stand, and an image with
 * them among its keywords would end its command early: what follows would be read as the answer about the next image.
 * In JSON no value begins a line.
 */
export const endOfOutput = /(?:^|\n)\{ready\}\r?\n$/;

/** One command of exiftool's, whose errors are an answer: what they mean depends on what was asked for. */
export class ExiftoolCommand extends ExifToolTask<CommandOutput> {
  // The library decodes each chunk by itself, and would break a character that two of them share.
  readonly #decoder = new StringDecoder('utf8');
  #chars = 0;
  #end = '';

  constructor(args: readonly string[]) {
    super([...args], { ignoreMinorErrors: false });
  }

  override onStdout(chunk: string | Buffer): void {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    this.#chars += text.length;
    this.#end = (this.#end + text).slice(-16);
    if (this.#chars <= maxOutputChars) super.onStdout(text);
    else if (endOfOutput.test(this.#end)) super.onStdout('\n{ready}\n');
  }

  protected override parse(stdout: string): CommandOutput {
    return { stdout, errors: this.errors.map(withoutPath), warnings: this.warnings.map(withoutPath) };
  }
}

function withoutPath(line: string): string {
  return line.replace(/^(error|warning): /i, '').replace(/ - \/.*$/s, '');
}
