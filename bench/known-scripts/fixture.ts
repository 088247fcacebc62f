import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { drawPage, plainStyle } from '../letters/draw-page.js';
import { checkScriptFonts } from './scripts.js';

const folder = new URL('../../../packages/engine/src/tasks/read-text/fixtures/', import.meta.url);

/** Scripts that no font of a fresh machine has, and Chinese, which is read. */
const pages = {
  'scripts.png': [
    { text: '지하철 이용안내', font: 'Noto Sans CJK KR' },
    { text: 'エレベーターのりば', font: 'Noto Sans CJK JP' },
    { text: 'ห้ามสูบบุหรี่ ทางออก', font: 'Noto Sans Thai' },
    { text: 'प्रवेश निषेध अस्पताल', font: 'Noto Sans Devanagari' },
    { text: 'মেডিকেল হাসপাতাল', font: 'Noto Sans Bengali' },
    { text: 'மருத்துவமனை நுழைவு', font: 'Noto Sans Tamil' },
  ],
  'chinese.png': [
    { text: '北京火车站出口', font: 'Noto Sans CJK SC' },
    { text: '请勿吸烟', font: 'Noto Sans CJK SC' },
  ],
} as const;

/** Writes the pages that the engine's tests read. */
export async function drawFixtures(): Promise<void> {
  await checkScriptFonts();
  for (const [name, lines] of Object.entries(pages)) {
    let next = 0;
    const style = { ...plainStyle, sizePx: 36 };
    const { bytes, lines: drawn } = await drawPage(
      style,
      () => lines[next++] ?? null,
      () => 0.35,
    );
    if (drawn.length !== lines.length) throw new Error('the lines do not fit on one page');
    const page = await sharp(bytes).greyscale().png({ palette: true, colours: 16 }).toBuffer();
    await writeFile(new URL(name, folder), page);
  }
}
