import { useTranslation } from 'react-i18next';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Numbers, sizes and times in the user's language. */
export function useFormat() {
  const { i18n } = useTranslation();
  const language = i18n.language;
  const unit = (value: number, name: string, digits: number) =>
    value.toLocaleString(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
  return {
    number: (value: number, digits = 0) => value.toLocaleString(language, { maximumFractionDigits: digits }),
    /** The day of a moment. */
    day: (at: string) => new Date(at).toLocaleDateString(language, { dateStyle: 'medium' }),
    /** A share of 0 to 1; a dash where there is none. */
    percent: (share: number | null, digits = 1) =>
      share === null
        ? '–'
        : share.toLocaleString(language, { style: 'percent', maximumFractionDigits: digits }),
    bytes: (bytes: number) => formatBytes(bytes, language),
    /** In seconds, minutes or hours. */
    duration: (seconds: number) => {
      if (seconds < 90) return unit(Math.max(1, Math.round(seconds)), 'second', 0);
      if (seconds < 5400) return unit(Math.round(seconds / 60), 'minute', 0);
      return unit(seconds / 3600, 'hour', 1);
    },
  };
}

/** A number of bytes in powers of 1000: `4.2 MB`. */
export function formatBytes(bytes: number, language: string): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
