import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { type FieldName, isSecret, type Kind } from './destination-fields.js';

const choices = {
  tls: ['explicit', 'implicit'],
  path_style: ['true', 'false'],
  if_exists: ['rename', 'replace', 'fail'],
} as const;
const hinted = [
  'host_key',
  'prefix',
  'address',
  'header_name',
  'certificate',
  'path',
  'private_key',
  'token',
  'region',
] as const;
const examples: Readonly<Partial<Record<FieldName, string>>> = {
  host: 'images.example',
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  address: 'https://desk.example/images',
  header_name: 'X-Desk-Key',
  path: '{year}/{month}/{label}/{name}',
  host_key: 'SHA256:…',
};

/** One field of a destination, by the type of its value. */
export function DestinationField({
  kind,
  name,
  isNeeded,
  isKept,
  input,
}: {
  kind: Kind;
  name: FieldName;
  isNeeded: boolean;
  /** The service has a secret for this field, which it does not show. */
  isKept: boolean;
  input: GetInputPropsReturnType;
}) {
  const { t } = useTranslation();
  const description = useHint(kind, name);
  const shared = {
    label: t(`destinations.field.${name}`),
    withAsterisk: isNeeded,
    ...(description === null ? {} : { description }),
    ...input,
  };
  if (name === 'tls' || name === 'path_style' || name === 'if_exists') {
    const words: Readonly<Record<string, string>> = t(`destinations.choice.${name}`, { returnObjects: true });
    return (
      <Select
        {...shared}
        data={choices[name].map((value) => ({ value, label: words[value] ?? value }))}
        allowDeselect={false}
        value={input.value === '' ? choices[name][0] : input.value}
      />
    );
  }
  const placeholder = isKept
    ? t('destinations.kept')
    : name === 'port'
      ? t('destinations.usualPort')
      : examples[name];
  if (name === 'certificate' || name === 'private_key') {
    return (
      <Textarea
        {...shared}
        placeholder={placeholder ?? '-----BEGIN …'}
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        autoComplete="off"
      />
    );
  }
  // This is not the user's password: the browser must neither fill in nor store it.
  if (isSecret(name))
    return <PasswordInput {...shared} placeholder={placeholder} autoComplete="new-password" />;
  return (
    <TextInput
      {...shared}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      {...(name === 'port' ? { inputMode: 'numeric' } : {})}
    />
  );
}

function useHint(kind: Kind, name: FieldName): string | null {
  const { t } = useTranslation();
  if (name === 'folder')
    return t(kind === 'folder' ? 'destinations.hint.folderOfMachine' : 'destinations.hint.folder');
  const known = hinted.find((each) => each === name);
  return known === undefined ? null : t(`destinations.hint.${known}`);
}
