import { existsSync } from 'node:fs';

/** A font by the name that Pango knows it by. */
export interface Font {
  readonly family: string;
  readonly file: string;
  /** The Debian package that ships it. */
  readonly package: string;
}

const truetype = '/usr/share/fonts/truetype';

export const latinFonts: readonly Font[] = [
  { family: 'DejaVu Sans', file: `${truetype}/dejavu/DejaVuSans.ttf`, package: 'fonts-dejavu-core' },
  {
    family: 'Liberation Serif',
    file: `${truetype}/liberation/LiberationSerif-Regular.ttf`,
    package: 'fonts-liberation',
  },
  {
    family: 'Liberation Sans',
    file: `${truetype}/liberation/LiberationSans-Regular.ttf`,
    package: 'fonts-liberation',
  },
];

export const chineseFonts: readonly Font[] = [
  { family: 'WenQuanYi Zen Hei', file: `${truetype}/wqy/wqy-zenhei.ttc`, package: 'fonts-wqy-zenhei' },
];

/** Throws with the command to install a missing font: another font would measure something else. */
export function checkFonts(): void {
  const missing = [...latinFonts, ...chineseFonts].filter(({ file }) => !existsSync(file));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((font) => font.package))].join(' ');
  throw new Error(
    `the text benchmark draws with fonts that are not here; on Debian: apt-get install ${packages}`,
  );
}
