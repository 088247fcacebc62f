import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A font as Pango names it: `Roboto Bold Italic`. */
export type FontName = string;

/**
 * Families of Debian packages by what they are for. A design and its copies are in one group: Carlito has the shapes of
 * Lato, Arimo and Liberation Sans those of Helvetica.
 */
const families = {
  learn: [
    'Andika',
    'Arimo',
    'Berenis ADF Pro',
    'C059',
    'Caladea',
    'Cantarell',
    'Charis SIL',
    'Clear Sans',
    'Comfortaa',
    'Courier Prime',
    'Cousine',
    'DejaVu Sans',
    'DejaVu Sans Condensed',
    'DejaVu Sans Mono',
    'DejaVu Serif',
    'Dosis',
    'Doulos SIL',
    'EB Garamond',
    'FreeMono',
    'FreeSans',
    'FreeSerif',
    'Hack',
    'Inter',
    'Jura',
    'Latin Modern Mono',
    'Latin Modern Roman',
    'Latin Modern Sans',
    'League Mono',
    'Liberation Mono',
    'Liberation Sans',
    'Liberation Sans Narrow',
    'Liberation Serif',
    'Nimbus Mono PS',
    'Nimbus Roman',
    'Nimbus Sans',
    'Nimbus Sans Narrow',
    'Noto Sans',
    'Noto Sans Display',
    'Noto Sans Mono',
    'Noto Serif',
    'Noto Serif Display',
    'Open Sans',
    'Oxygen-Sans',
    'P052',
    'TeX Gyre Adventor',
    'TeX Gyre Bonum',
    'TeX Gyre Cursor',
    'TeX Gyre Heros',
    'TeX Gyre Heros Cn',
    'TeX Gyre Pagella',
    'TeX Gyre Schola',
    'TeX Gyre Termes',
    'Tinos',
    'Tuffy',
    'URW Bookman',
    'URW Gothic',
  ],
  tune: ['Carlito', 'Fira Code', 'Gentium Plus', 'Lato', 'Quicksand', 'Vollkorn'],
  report: [
    'JetBrains Mono',
    'Junicode Two Beta',
    'League Spartan',
    'Linux Biolinum O',
    'Linux Libertine O',
    'Play',
    'Roboto',
    'Roboto Condensed',
    'Roboto Slab',
    'Yanone Kaffeesatz',
  ],
} as const;
export type FontSet = keyof typeof families;

const chineseFamilies = {
  learn: ['WenQuanYi Micro Hei', 'AR PL UKai CN', 'Noto Serif CJK SC'],
  tune: ['AR PL UMing CN'],
  report: ['WenQuanYi Zen Hei', 'Noto Sans CJK SC'],
} as const;

/** Upright and slanted, thin to bold; a style that a family lacks is drawn from its nearest one. */
export const styles = ['', 'Bold', 'Italic', 'Bold Italic', 'Light', 'Medium'] as const;

/** Debian's packages of all families. */
const packages =
  'fonts-adf-berenis fonts-arphic-ukai fonts-arphic-uming fonts-cantarell fonts-clear-sans fonts-comfortaa ' +
  'fonts-courier-prime fonts-croscore fonts-crosextra-caladea fonts-crosextra-carlito fonts-dejavu-core ' +
  'fonts-dejavu-extra fonts-dosis fonts-ebgaramond fonts-firacode fonts-freefont-otf fonts-hack fonts-inter ' +
  'fonts-jetbrains-mono fonts-junicode fonts-jura fonts-lato fonts-league-mono fonts-league-spartan fonts-liberation ' +
  'fonts-linuxlibertine fonts-lmodern fonts-noto-cjk fonts-noto-core fonts-noto-extra fonts-noto-mono fonts-open-sans ' +
  'fonts-oxygen fonts-play fonts-quicksand fonts-roboto fonts-roboto-slab fonts-sil-andika fonts-sil-charis ' +
  'fonts-sil-doulos fonts-sil-gentiumplus fonts-texgyre fonts-tuffy fonts-urw-base35 fonts-vollkorn ' +
  'fonts-wqy-microhei fonts-wqy-zenhei fonts-yanone-kaffeesatz';

export interface Fonts {
  readonly latin: readonly FontName[];
  readonly chinese: readonly FontName[];
}

/** The families of a set. Throws with the command that installs those that are missing: another font would be measured. */
export async function fontsOf(set: FontSet): Promise<Fonts> {
  const { stdout } = await promisify(execFile)('fc-list', ['--format', '%{family}\n']);
  const here = new Set(stdout.split('\n').flatMap((line) => line.split(',')));
  const wanted = { latin: families[set], chinese: chineseFamilies[set] };
  const missing = [...wanted.latin, ...wanted.chinese].filter((family) => !here.has(family));
  if (missing.length > 0) {
    throw new Error(`fonts are missing (${missing.join(', ')}); on Debian: apt-get install ${packages}`);
  }
  return wanted;
}
