/** The number of a video, as an argument has it. */
export function toVideoNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw new Error(`${text} is not a number; videos list shows the numbers of videos`);
  return Number(text);
}
