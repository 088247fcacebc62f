import { chineseFonts, type Font, latinFonts } from './fonts.js';

/** What is drawn, by kind of text. */
export interface Script {
  readonly name: string;
  readonly fonts: readonly Font[];
  /** Each is one line of the image, and short enough for 48 pixels on an image 960 wide. */
  readonly lines: readonly string[];
}

export const scripts: readonly Script[] = [
  {
    name: 'English',
    fonts: latinFonts,
    lines: [
      'Keep this ticket until you leave.',
      'The museum opens at ten.',
      'Please mind the closing doors',
      'and stand behind the line.',
      'Bread, butter and black coffee',
      'Quiet! Exam in progress.',
    ],
  },
  {
    name: 'numbers',
    fonts: latinFonts,
    lines: [
      'No. 4821307 of 2026-03-12',
      'Total: 1,299.50 EUR',
      '+49 30 1234 5678',
      '17:45 Gate 12B Seat 31F',
      '98.6 % of 2,048 kg',
      'A4 297 x 210 mm',
    ],
  },
  {
    name: 'German',
    fonts: latinFonts,
    lines: [
      'Bitte die Tür schließen.',
      'Schöne Grüße aus München',
      'Für Fußgänger geöffnet',
      'Käse, Brötchen und Äpfel',
      'Übermäßig große Öfen',
      'Straße ohne Rückweg',
    ],
  },
  {
    name: 'Chinese',
    fonts: chineseFonts,
    lines: [
      '欢迎光临我们的商店',
      '请保持安静',
      '今天天气很好',
      '北京市人民医院',
      '小心地滑请慢行',
      '出口在左边',
    ],
  },
];
