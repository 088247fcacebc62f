/** The text is not JSON, or has an element that is too long. The message is for its owner. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** Takes an element. `skip`: the rest of this array is passed over. `stop`: nothing more is read of the text. */
// biome-ignore lint/suspicious/noConfusingVoidType: most callbacks return nothing.
type TakeElement = (element: unknown) => 'skip' | 'stop' | void;

/** Characters of one element: a mask of a large image takes some hundred thousand. */
const usualElementLength = 4 * 1024 * 1024;
/** Characters of a key that are compared. */
const maxKeyLength = 100;
/** Brackets in brackets, since whoever walks over an element is at the end of its stack sooner or later. */
const maxDepth = 100;

/**
 * Reads JSON text piece by piece and parses the elements of some arrays of its outermost object, one at a time. Everything else is
 * passed over without being built, and is not checked. The numbers NaN and Infinity, which Python writes, become null.
 * Returns the names of the arrays that the object has, or null where the text is no object. Throws `JsonError` for text that
 * is not JSON, and for an element that is too large.
 */
export async function readJsonArrays(
  pieces: AsyncIterable<string>,
  path: string,
  arrays: Readonly<Record<string, TakeElement>>,
  { maxElementLength = usualElementLength }: { readonly maxElementLength?: number } = {},
): Promise<ReadonlySet<string> | null> {
  const splitter = new ArraySplitter(path, new Map(Object.entries(arrays)), maxElementLength);
  for await (const piece of pieces) {
    if (splitter.push(piece) !== 'more') break;
  }
  return splitter.end();
}

/** What comes next at the depth of the outermost object, or in an array whose elements are taken. */
type Expected = 'object' | 'key' | 'colon' | 'value' | 'rest-of-value' | 'element' | 'nothing';

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const byteOrderMark = 0xfeff;

class ArraySplitter {
  readonly #path: string;
  readonly #arrays: ReadonlyMap<string, TakeElement>;
  readonly #maxElementLength: number;
  readonly #names = new Set<string>();
  #expected: Expected = 'object';
  /** Brackets that are open, of both kinds. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #key = '';
  /** Of the array that is being read; null while its elements are passed over. */
  #take: TakeElement | null = null;
  /** Of the present key or element, as far as it lies in earlier pieces. */
  #text = '';
  #count = 0;
  #end: 'more' | 'stop' | 'no-object' = 'more';

  constructor(path: string, arrays: ReadonlyMap<string, TakeElement>, maxElementLength: number) {
    this.#path = path;
    this.#arrays = arrays;
    this.#maxElementLength = maxElementLength;
  }

  push(piece: string): 'more' | 'stop' | 'no-object' {
    /** Where the present key or element begins in this piece. */
    let start = 0;
    for (let at = 0; at < piece.length && this.#end === 'more'; at += 1) {
      if (this.#isInString) {
        at = this.#endOfString(piece, at);
        if (!this.#isInString && this.#expected === 'key') this.#endKey(piece.slice(start, at));
        continue;
      }
      const code = piece.charCodeAt(at);
      if (code === quote) {
        this.#isInString = true;
        if (this.#expected === 'key') start = at + 1;
        else if (this.#depth <= 1) this.#takeLetter(code);
      } else if (code === openBrace || code === openBracket) {
        if (this.#open(code)) start = at + 1;
      } else if (code === closeBrace || code === closeBracket) {
        this.#close(code, piece, start, at);
      } else if (code === comma) {
        if (this.#depth === 2 && this.#expected === 'element') {
          this.#endElement(piece.slice(start, at));
          start = at + 1;
        } else if (this.#depth === 1) this.#next('rest-of-value', 'key');
      } else if (code === colon) {
        if (this.#depth === 1) this.#next('colon', 'value');
      } else if (this.#depth <= 1 && !isSpace(code)) this.#takeLetter(code);
    }
    const isKey = this.#expected === 'key' && this.#isInString;
    if (isKey || (this.#take !== null && this.#depth >= 2)) this.#keep(piece.slice(start));
    return this.#end;
  }

  end(): ReadonlySet<string> | null {
    if (this.#end === 'no-object') return null;
    if (this.#end === 'more' && this.#expected !== 'nothing') this.#refuse('it ends too early');
    return this.#names;
  }

  /** The place of the quotation mark that ends the string, or the end of the piece. */
  #endOfString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) {
        this.#isInString = false;
        return at;
      }
    }
    return piece.length;
  }

  /** Whether elements of an array begin behind this bracket. */
  #open(code: number): boolean {
    this.#depth += 1;
    if (this.#take !== null && this.#depth > maxDepth)
      throw new JsonError(`${this.#path} is nested more than ${maxDepth} deep, the limit`);
    if (this.#depth === 1) {
      if (code === openBrace) this.#next('object', 'key');
      else if (this.#expected === 'object') this.#end = 'no-object';
      else this.#refuse();
      return false;
    }
    if (this.#depth > 2) return false;
    this.#next('value', 'rest-of-value');
    const take = this.#arrays.get(this.#key);
    if (take === undefined || code === openBrace) return false;
    this.#names.add(this.#key);
    this.#take = take;
    this.#count = 0;
    this.#text = '';
    this.#expected = 'element';
    return true;
  }

  #close(code: number, piece: string, start: number, at: number): void {
    this.#depth -= 1;
    if (this.#depth === 0) {
      // An object without anything in it, or the end of the last value.
      if (code === closeBracket || !['key', 'rest-of-value'].includes(this.#expected)) this.#refuse();
      this.#expected = 'nothing';
    } else if (this.#depth === 1 && this.#expected === 'element') {
      if (code === closeBrace) this.#refuse();
      const last = piece.slice(start, at);
      if (this.#count > 0 || (this.#text + last).trim() !== '') this.#endElement(last);
      this.#expected = 'rest-of-value';
      this.#take = null;
    } else if (this.#depth < 0) this.#refuse();
  }

  /** A text, a number, true, false or null begins or goes on. */
  #takeLetter(code: number): void {
    if (this.#expected === 'value') this.#expected = 'rest-of-value';
    else if (this.#expected === 'object' && code !== byteOrderMark) this.#end = 'no-object';
    else if (this.#expected !== 'rest-of-value' && code !== byteOrderMark) this.#refuse();
  }

  #next(from: Expected, to: Expected): void {
    if (this.#expected !== from) this.#refuse();
    this.#expected = to;
  }

  #endKey(last: string): void {
    this.#key = this.#text + last;
    this.#text = '';
    this.#expected = 'colon';
  }

  #endElement(last: string): void {
    if (this.#take !== null) {
      this.#keep(last);
      const answer = this.#take(this.#parse(this.#text));
      if (answer === 'stop') this.#end = 'stop';
      else if (answer === 'skip') this.#take = null;
    }
    this.#text = '';
    this.#count += 1;
  }

  #keep(text: string): void {
    if (this.#expected === 'key') {
      if (this.#text.length < maxKeyLength) this.#text += text.slice(0, maxKeyLength);
      return;
    }
    this.#text += text;
    if (this.#text.length > this.#maxElementLength) {
      const element = `element ${this.#count + 1} of "${this.#key}"`;
      throw new JsonError(`${this.#path}: ${element} is longer than ${this.#maxElementLength} characters`);
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      try {
        return JSON.parse(withoutNaN(text));
      } catch (cause) {
        throw new JsonError(
          `${this.#path} is not JSON: element ${this.#count + 1} of "${this.#key}" is not well-formed`,
          { cause },
        );
      }
    }
  }

  #refuse(reason?: string): never {
    throw new JsonError(`${this.#path} is not JSON${reason === undefined ? '' : `: ${reason}`}`);
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** Replaces NaN and Infinity by null, except within strings. */
function withoutNaN(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('"', at);
    const opening = start < 0 ? text.length : start;
    parts.push(text.slice(at, opening).replace(/-?\b(?:NaN|Infinity)\b/g, 'null'));
    at = endOfString(text, opening);
    parts.push(text.slice(opening, at));
  }
  return parts.join('');
}

/** The place behind the string that begins at `opening`. */
function endOfString(text: string, opening: number): number {
  for (let at = opening + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at + 1;
  }
  return text.length;
}
