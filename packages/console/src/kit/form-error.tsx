import { Alert } from '@mantine/core';
import { useErrorText } from './error-text.js';

/** Why the request of a form failed; nothing without an error. */
export function FormError({ error }: { error: Error | null }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {errorText(error)}
    </Alert>
  );
}
