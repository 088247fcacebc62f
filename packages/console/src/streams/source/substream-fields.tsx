import limits from 'api-limits:StreamSubstreamInput';
import type { StreamSource } from '@lynceus/client';
import { Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../../kit/field-limits.js';
import { CredentialFields } from './credential-fields.js';
import type { SourceForm } from './source-form.js';
import { fateOfSubstreamPassword, type NetworkKind } from './source-values.js';

const example = {
  rtsp: 'rtsp://192.168.1.20/stream2',
  rtmp: 'rtmp://192.168.1.20/live/entrance-small',
  hls: 'https://example.com/live/entrance-small.m3u8',
  mjpeg: 'http://192.168.1.20/small.mjpg',
} as const satisfies Record<NetworkKind, string>;

/** A second, smaller stream of the camera, which is analysed in place of the first. */
export function SubstreamFields({
  form,
  kind,
  stored,
}: {
  form: SourceForm;
  kind: NetworkKind;
  stored: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Checkbox
        label={t('streamSource.substream')}
        description={t('streamSource.substreamHint')}
        {...form.getInputProps('hasSubstream', { type: 'checkbox' })}
      />
      {form.values.hasSubstream && (
        <>
          <TextInput
            label={t('streamSource.substreamAddress')}
            placeholder={example[kind]}
            required
            inputMode="url"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...textLimits(limits, 'address')}
            {...form.getInputProps('substream.address')}
          />
          <CredentialFields
            username={form.getInputProps('substream.username')}
            password={form.getInputProps('substream.password')}
            fate={stored ? fateOfSubstreamPassword(stored, form.values) : 'none'}
            group={{
              username: t('streamSource.substreamUsername'),
              password: t('streamSource.substreamPassword'),
              hint: t('streamSource.substreamCredentialsHint'),
            }}
          />
        </>
      )}
    </>
  );
}
