import { LynceusError } from '@lynceus/client';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** The text of an error for users: the service's own, which says what to fix. */
export function useErrorText(): (error: Error) => string {
  const { t } = useTranslation();
  return (error) => {
    if (!(error instanceof LynceusError)) return toSentence(error.message);
    if (error.code === 'network_error') return t('shell.noAnswer');
    if (error.code === 'internal_error') return t('shell.internal', { id: error.requestId });
    return toSentence(error.message);
  };
}

/** For `onError` of a user's action: shows why it failed. */
export function useShowError(): (error: Error) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) =>
    notifications.show({
      color: 'red',
      title: t('shell.failed'),
      message: errorText(error),
      autoClose: 10_000,
    });
}

/** A notice that a user's action is done. */
export function showDone(message: string): void {
  notifications.show({ color: 'lynx', message });
}

/** With a capital letter: the service's messages begin with a small one. */
export function toSentence(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}
