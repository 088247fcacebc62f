import { Alert } from '@mantine/core';
import { useErrorText } from './error-text.js';

/** Why what a form asked for did not happen; nothing where it did. */
export function FormError({ error }: { error: Error | null }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {errorText(error)}
    </Alert>
  );
}
