import { Alert } from '@mantine/core';
import { useTellError } from './tell-error.js';

/** Why what a form asked for did not happen; nothing where it did. */
export function FormError({ error }: { error: Error | null }) {
  const tell = useTellError();
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {tell(error)}
    </Alert>
  );
}
