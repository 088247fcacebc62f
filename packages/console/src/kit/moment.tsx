import { useTranslation } from 'react-i18next';

/** A moment of the service in the reader's own zone and manner. */
export function Moment({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const moment = new Date(at);
  return (
    <time
      dateTime={at}
      title={moment.toLocaleString(i18n.language, { dateStyle: 'full', timeStyle: 'long' })}
    >
      {moment.toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}
