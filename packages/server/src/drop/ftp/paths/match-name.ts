/** Whether a text stands for more than itself. */
export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** `*` is any characters, `?` any one. Takes time of name times pattern at most, whatever the pattern. */
export function matchName(pattern: string, name: string): boolean {
  const wanted = [...pattern];
  const given = [...name];
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let index = 0; index < given.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      resumeAt = index;
    } else if (wanted[at] === '?' || wanted[at] === given[index]) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resumeAt;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}
