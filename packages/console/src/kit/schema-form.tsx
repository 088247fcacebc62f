import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findFieldFault, markFieldFault } from './field-fault.js';
import { type ApiLimits, listLimits, numberLimits, textLimits, toApiName } from './field-limits.js';
import { SaveForm } from './save-form.js';
import { Window } from './window.js';

interface SchemaFormOptions<Values extends object, Saved>
  extends Pick<UseFormInput<Values, (values: Values) => Values>, 'validate'> {
  /** Of the request that saves it. */
  readonly limits: ApiLimits;
  readonly initialValues: Values;
  /** Fields of the form that have another name in the API, by that. */
  readonly renamed?: Readonly<Record<string, keyof Values & string>>;
  readonly save: (values: Values) => Promise<Saved>;
  readonly onSaved?: (saved: Saved, values: Values) => unknown;
}

/** A form whose fields have the limits of a request. What the service says of a field is shown at the field. */
export function useSchemaForm<Values extends object, Saved>({
  limits,
  initialValues,
  renamed = {},
  validate,
  save,
  onSaved,
}: SchemaFormOptions<Values, Saved>) {
  const form = useForm<Values>({ initialValues, ...(validate ? { validate } : {}) });
  const fields = fieldsByApiName(initialValues, renamed);
  const saving = useMutation<Saved, Error, Values>({
    mutationFn: save,
    onSuccess: (saved, values) => onSaved?.(saved, values),
    onError: (error) => markFieldFault(form, error, fields),
  });
  const apiNames = Object.fromEntries(Object.entries(renamed).map(([api, own]) => [own, api]));
  type Name = keyof Values & string;
  const apiName = (name: Name) => apiNames[name] ?? name;
  return {
    form,
    saving: { ...saving, error: findFieldFault(saving.error, fields) ? null : saving.error },
    values: form.values,
    /** What the request answered. */
    saved: saving.data,
    /** Attributes of the input of a text. */
    text: (name: Name) => ({ ...textLimits(limits, apiName(name)), ...form.getInputProps(name) }),
    /** Attributes of the input of a number. */
    number: (name: Name) => ({ ...numberLimits(limits, apiName(name)), ...form.getInputProps(name) }),
    /** Attributes of an input of several texts. */
    list: (name: Name) => ({ ...listLimits(limits, apiName(name)), ...form.getInputProps(name) }),
    /** Attributes of a choice. */
    choice: (name: Name) => form.getInputProps(name),
    /** Attributes of a switch or a checkbox. */
    toggle: (name: Name) => form.getInputProps(name, { type: 'checkbox' }),
  };
}

function fieldsByApiName<Values extends object>(
  values: Values,
  renamed: Readonly<Record<string, keyof Values & string>>,
) {
  const own = Object.keys(values) as (keyof Values & string)[];
  return { ...Object.fromEntries(own.map((name) => [toApiName(name), name])), ...renamed };
}

interface SchemaFormProps<Values> {
  readonly form: {
    readonly form: Pick<UseFormReturnType<Values>, 'onSubmit'>;
    readonly saving: Pick<UseMutationResult<unknown, Error, Values>, 'mutate' | 'error' | 'isPending'>;
  };
  /** The text of the button. */
  readonly submit: string;
  readonly isFullWidth?: boolean;
  readonly children: ReactNode;
}

export function SchemaForm<Values>({ form: { form, saving }, ...rest }: SchemaFormProps<Values>) {
  return <SaveForm form={form} save={saving} {...rest} />;
}

/** A form in a window of its own. */
export function FormWindow<Values>({
  title,
  onClose,
  ...form
}: SchemaFormProps<Values> & { readonly title: string; readonly onClose: () => void }) {
  return (
    <Window onClose={onClose} title={title}>
      <SchemaForm isFullWidth {...form} />
    </Window>
  );
}
