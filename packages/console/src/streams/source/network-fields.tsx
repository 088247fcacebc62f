import limits from 'api-limits:StreamSourceInput';
import type { StreamSource } from '@lynceus/client';
import { Button, Checkbox, Collapse, Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiChevronDown, mdiChevronUp } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../../kit/field-limits.js';
import { Icon } from '../../kit/icon.js';
import { useMayChange } from '../../service/current-session.js';
import { CredentialFields } from './credential-fields.js';
import type { SourceForm } from './source-form.js';
import { fateOfPassword, isEncrypted, kindOf, type NetworkKind } from './source-values.js';
import { SubstreamFields } from './substream-fields.js';

/** A source that is reached by its address. */
export function NetworkFields({
  form,
  kind,
  stored,
}: {
  form: SourceForm;
  kind: NetworkKind;
  stored: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  const { onBlur, ...address } = form.getInputProps('address');
  return (
    <>
      <TextInput
        label={t('streamSource.address')}
        description={t(`streamSource.addressHint.${kind}`)}
        placeholder={t(`streamSource.addressExample.${kind}`)}
        required
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...textLimits(limits, 'address')}
        {...address}
        onBlur={(event) => {
          onBlur(event);
          form.setFieldValue('kind', kindOf(event.currentTarget.value, kind));
        }}
      />
      <CredentialFields
        username={form.getInputProps('username')}
        password={form.getInputProps('password')}
        fate={stored ? fateOfPassword(stored, form.values) : 'none'}
      />
      <MoreFields form={form} kind={kind} stored={stored} />
    </>
  );
}

/** What most cameras do not need. */
function MoreFields({
  form,
  kind,
  stored,
}: {
  form: SourceForm;
  kind: NetworkKind;
  stored: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  const { hasSubstream, transport, isUnchecked } = form.values;
  const mayChange = useMayChange();
  const [isMore, more] = useDisclosure(hasSubstream || transport === 'udp' || isUnchecked);
  return (
    <>
      {mayChange && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          aria-expanded={isMore}
          onClick={more.toggle}
          leftSection={<Icon path={isMore ? mdiChevronUp : mdiChevronDown} size={16} />}
        >
          {t(isMore ? 'streamSource.less' : 'streamSource.more')}
        </Button>
      )}
      <Collapse expanded={isMore}>
        <Stack>
          {kind === 'rtsp' && <TransportField form={form} />}
          {isEncrypted(form.values.address) && (
            <Checkbox
              label={t('streamSource.unchecked')}
              description={t('streamSource.uncheckedHint')}
              {...form.getInputProps('isUnchecked', { type: 'checkbox' })}
            />
          )}
          <SubstreamFields form={form} kind={kind} stored={stored} />
        </Stack>
      </Collapse>
    </>
  );
}

function TransportField({ form }: { form: SourceForm }) {
  const { t } = useTranslation();
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('streamSource.transport')}
      description={t('streamSource.transportHint')}
    >
      <SegmentedControl
        mt={4}
        aria-label={t('streamSource.transport')}
        data={[
          { value: 'tcp', label: t('streamSource.tcp') },
          { value: 'udp', label: t('streamSource.udp') },
        ]}
        value={form.values.transport}
        onChange={(chosen) => {
          const transport = chosen === 'udp' ? 'udp' : 'tcp';
          // A network that suits one of them for the first stream suits the same for the second.
          form.setValues({ transport, substream: { ...form.values.substream, transport } });
        }}
      />
    </Input.Wrapper>
  );
}
