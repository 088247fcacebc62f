import numbers from 'api-limits:POST /api/compat-listeners';
import limits from 'api-limits:POST /api/models';
import { NumberInput, TextInput } from '@mantine/core';
import { expect, test } from 'vitest';
import { renderHtml } from '../fixtures/render.js';
import { SchemaForm, useSchemaForm } from './schema-form.js';

function ModelForm() {
  const form = useSchemaForm({
    limits,
    initialValues: { name: 'cats', description: '' },
    save: async () => null,
  });
  return (
    <SchemaForm form={form} submit="Save">
      <TextInput label="Name" {...form.text('name')} />
      <TextInput label="Description" {...form.text('description')} />
    </SchemaForm>
  );
}

/** `key` of the form is `key_id` in the API. */
function KeyForm() {
  const form = useSchemaForm({
    limits: numbers,
    initialValues: { key: 7 },
    renamed: { key_id: 'key' },
    save: async () => null,
  });
  return (
    <SchemaForm form={form} submit="Save">
      <NumberInput label="Key" {...form.number('key')} />
    </SchemaForm>
  );
}

const inputsOf = (html: string) => html.match(/<input[^>]*>/g) ?? [];

test('fields have their values, and the limits of the request', () => {
  const [name, description] = inputsOf(renderHtml(<ModelForm />));
  for (const part of ['value="cats"', 'maxLength="200"', 'required=""']) expect(name).toContain(part);
  expect(description).toContain('maxLength="2000"');
  expect(description).not.toContain('required');
});

test('a field with a name of its own has the limits of the field that it is in the API', () => {
  const [key] = inputsOf(renderHtml(<KeyForm />));
  for (const part of ['value="7"', 'required=""']) expect(key).toContain(part);
});
