import { useTranslation } from 'react-i18next';

/** How many strangers one of them would be, for a rate between 0 and 1; null: more than every second one. */
export function oneIn(rate: number): number | null {
  if (rate > 0.5) return null;
  const times = 1 / rate;
  // Two digits say all that such a rate is worth.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1);
  return Math.round(times / step) * step;
}

/** A false-match rate in words: `1 in 2,500`. */
export function useFormatRate(): (rate: number) => string {
  const { t, i18n } = useTranslation();
  return (rate) => {
    if (rate <= 0) return t('faceSearch.never');
    const times = oneIn(rate);
    return times === null
      ? t('faceSearch.mostly')
      : t('faceSearch.oneIn', { times: times.toLocaleString(i18n.language) });
  };
}
