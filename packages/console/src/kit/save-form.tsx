import { Alert, Button, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { mdiAlert } from '@mdi/js';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useErrorText } from './error-text.js';
import { Icon } from './icon.js';

/** A form that a mutation saves: its fields, why saving failed, and its button. */
export function SaveForm<Values>({
  form,
  save,
  submit,
  color,
  isFullWidth = false,
  children,
}: {
  form: Pick<UseFormReturnType<Values>, 'onSubmit'>;
  save: Pick<UseMutationResult<unknown, Error, Values>, 'mutate' | 'error' | 'isPending'>;
  /** The text of the button. */
  submit: string;
  /** Red for what cannot be undone. */
  color?: string;
  /** In windows and cards. */
  isFullWidth?: boolean;
  children: ReactNode;
}) {
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack>
        {children}
        <FormError error={save.error} />
        <Button
          type="submit"
          loading={save.isPending}
          {...(color === undefined ? {} : { color })}
          {...(isFullWidth ? {} : { w: 'fit-content' })}
        >
          {submit}
        </Button>
      </Stack>
    </form>
  );
}

/** Why a request failed; nothing without an error. */
export function FormError({ error, title }: { error: Error | null; title?: string }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} role="alert" {...(title ? { title } : {})}>
      {errorText(error)}
    </Alert>
  );
}
