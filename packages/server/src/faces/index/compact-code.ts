/**
 * A vector as 8-bit codes, which alone give its products nearly, and the rest of each number, with which they give it back to
 * the last bit. A number is nearest to `code * step`; the rest is the distance between the two in representable floats.
 */
export interface CompactVector {
  /** One for each number, -127 to 127. */
  readonly codes: Int8Array;
  /** The rest, 24 bits with sign; of a number with code 0, its own 24 lower bits. */
  readonly low16: Uint16Array;
  readonly high8: Int8Array;
  /** The upper 8 bits of the numbers with code 0, in their order: as far as these tell, they may have any exponent. */
  readonly tops: Uint8Array;
}

interface EncodedVector extends CompactVector {
  /** Of the vector. */
  readonly length: number;
  /** Length of the difference between the vector and what its codes stand for. */
  readonly errorLength: number;
}

const maxCode = 127;
/**
 * The range of codes, in standard deviations of a number of a vector of length 1. The largest number of 64 embeddings of
 * photographs had 3.3 in the median, and 4.5 in the largest of all.
 */
const rangeInDeviations = 5;
/** Numbers with code 0 that a vector may have. The same embeddings had 7 in the median of 512, and 15 at most. */
export const maxTops = 20;
const maxRest = 2 ** 23;
/** Of the square of the usual `errorLength`: one that is longer makes every search of the perception decode more vectors. */
const maxErrorSquares = 1.5 ** 2;

/** @param dimensions numbers of every vector, each of a length near 1 */
export function createCompactCode(dimensions: number) {
  const step = Math.fround(rangeInDeviations / maxCode / Math.sqrt(dimensions));
  /** A number is anywhere between two codes. */
  const usualErrorSquares = (dimensions * step ** 2) / 12;
  const bitsOfCode = new Int32Array(
    Float32Array.from({ length: 2 * maxCode + 1 }, (_, at) => (at - maxCode) * step).buffer,
  );
  const made = {
    codes: new Int8Array(dimensions),
    low16: new Uint16Array(dimensions),
    high8: new Int8Array(dimensions),
    tops: new Uint8Array(maxTops),
  };

  return {
    /** What a code of 1 stands for. */
    step,

    /**
     * Null for a vector that does not fit: with numbers far above the others, with many near 0, or with NaN. Valid until the next
     * call.
     */
    encode(vector: Float32Array): EncodedVector | null {
      const bits = bitsOf(vector);
      let [zeros, squares, errorSquares] = [0, 0, 0];
      for (let at = 0; at < dimensions; at += 1) {
        const value = vector[at] ?? 0;
        const own = bits[at] ?? 0;
        const code = Math.max(-maxCode, Math.min(maxCode, Math.round(value / step)));
        let rest = own;
        if (code === 0) {
          if (zeros === maxTops) return null;
          made.tops[zeros] = own >>> 24;
          zeros += 1;
        } else {
          rest = own - (bitsOfCode[code + maxCode] ?? 0);
          if (rest < -maxRest || rest >= maxRest) return null;
        }
        made.codes[at] = code;
        made.low16[at] = rest;
        made.high8[at] = rest >> 16;
        squares += value * value;
        errorSquares += (value - code * step) ** 2;
      }
      // In this way round, NaN does not fit either.
      if (!(errorSquares <= maxErrorSquares * usualErrorSquares)) return null;
      return { ...made, length: Math.sqrt(squares), errorLength: Math.sqrt(errorSquares) };
    },

    decode({ codes, low16, high8, tops }: CompactVector, target: Float32Array) {
      const bits = bitsOf(target);
      let zeros = 0;
      for (let at = 0; at < dimensions; at += 1) {
        const code = codes[at] ?? 0;
        const rest = ((high8[at] ?? 0) << 16) | (low16[at] ?? 0);
        if (code === 0) {
          bits[at] = ((tops[zeros] ?? 0) << 24) | (rest & 0xffffff);
          zeros += 1;
        } else {
          bits[at] = (bitsOfCode[code + maxCode] ?? 0) + rest;
        }
      }
    },
  };
}

/** A query as 8-bit codes with a step of its own. */
interface CodedQuery {
  readonly codes: Int8Array;
  readonly step: number;
  /** Of what the codes stand for. */
  readonly codedLength: number;
  readonly errorLength: number;
}

export function codeQuery(query: Float32Array): CodedQuery {
  const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const step = largest / maxCode || 1;
  const codes = Int8Array.from(query, (value) => Math.round(value / step));
  let [squares, errorSquares] = [0, 0];
  for (const [at, code] of codes.entries()) {
    squares += (code * step) ** 2;
    errorSquares += ((query[at] ?? 0) - code * step) ** 2;
  }
  return { codes, step, codedLength: Math.sqrt(squares), errorLength: Math.sqrt(errorSquares) };
}

function bitsOf(vector: Float32Array): Int32Array {
  return new Int32Array(vector.buffer, vector.byteOffset, vector.length);
}
