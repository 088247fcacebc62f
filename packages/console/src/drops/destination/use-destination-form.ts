import type { Drop } from '@lynceus/client';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import {
  type DestinationValues,
  destinationOf,
  findFault,
  missingFields,
  valuesOf,
} from './destination-values.js';

/** What is filled in, kept by the service, and tried. */
export function useDestinationForm(drop: Drop, onSaved: (drop: Drop) => void) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<DestinationValues>({
    initialValues: valuesOf(drop.destination),
    validate: (values) =>
      Object.fromEntries(missingFields(values).map((name) => [`fields.${name}`, t('destinations.missing')])),
  });
  const test = useMutation({ mutationFn: () => client.drops.testDestination(drop.id) });
  const save = useMutation({
    mutationFn: (values: DestinationValues) =>
      client.drops.change(drop.id, { destination: destinationOf(values) }),
    onMutate: () => {
      setFault(null);
      test.reset();
    },
    onSuccess: (changed) => {
      queries.setQueryData(['drops', 'one', drop.id], changed);
      const values = valuesOf(changed.destination);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty();
      onSaved(changed);
    },
    onError: (error) => {
      const found = findFault(error.message);
      if (found) form.setFieldError(`fields.${found.field}`, found.text);
      else setFault(errorText(error));
    },
  });
  /** Saves first, where there is something to save: what is tried is what will be used. */
  const trySaved = form.onSubmit((values) => {
    if (form.isDirty()) save.mutate(values, { onSuccess: () => test.mutate() });
    else test.mutate();
  });
  return { form, save, test, fault, submit: form.onSubmit((values) => save.mutate(values)), trySaved };
}
