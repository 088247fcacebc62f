const secretNames =
  /^(api[_-]?key|x-api-key|key|token|(access|view)_token|password|secret|authorization|sig(nature)?)$/i;

/** `?name=value` and `&name=value`, also percent-encoded once or more inside another address. */
const queryPair =
  /([?&;]|%(?:25)*(?:3f|26))((?:(?!%(?:25)*(?:3d|26|3f))[^=&;?#"'\s\\]){1,100})(=|%(?:25)*3d)((?:(?!%(?:25)*26)[^&;#"'\s\\])*)/gi;
const jsonPair = /("(?:apikey|api_key|x-api-key|authorization|firstKey|password)":)"(?:[^"\\]|\\.)*"/gi;
const bearer = /\b(Bearer )[^\s"\\]+/gi;
/** The password in the address of a database. */
const addressPassword = /(\bpostgres(?:ql)?:\/\/[^\s:/@"]{0,100}:)[^\s"]{0,300}@/gi;
const ownKey = /lyn_[A-Za-z0-9_-]{16,}/g;

export const redacted = '[redacted]';

/** Takes every key out of a text: by the name of the query parameter that holds it, as a header, and by our own form. */
export function redactText(text: string): string {
  let out = text;
  // A percent-encoded name may stand inside the value of another pair; a pass reaches one level.
  if (out.includes('=') || out.includes('%')) out = redactPairs(out, 0);
  return out
    .replace(jsonPair, `$1"${redacted}"`)
    .replace(addressPassword, `$1${redacted}@`)
    .replace(bearer, `$1${redacted}`)
    .replace(ownKey, `lyn_${redacted}`);
}

function redactPairs(text: string, depth: number): string {
  return text.replace(queryPair, (_all, open: string, name: string, equals: string, value: string) => {
    if (secretNames.test(decodeName(name))) return `${open}${name}${equals}${redacted}`;
    const inner = depth < 3 && value.includes('%') ? redactPairs(value, depth + 1) : value;
    return `${open}${name}${equals}${inner}`;
  });
}

/** A name may be encoded several times over; what cannot be decoded is no name of ours. */
function decodeName(name: string): string {
  let decoded = name;
  for (let level = 0; level < 3 && decoded.includes('%'); level += 1) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}
