import { useTranslation } from 'react-i18next';

/** A moment in the time zone and the format of the reader. */
export function Moment({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  const { i18n } = useTranslation();
  const moment = new Date(at);
  return (
    <time
      dateTime={at}
      title={moment.toLocaleString(i18n.language, { dateStyle: 'full', timeStyle: 'long' })}
    >
      {moment.toLocaleString(i18n.language, {
        dateStyle: 'medium',
        timeStyle: hasSeconds ? 'medium' : 'short',
      })}
    </time>
  );
}
