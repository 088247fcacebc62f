import type { StreamSource } from '@lynceus/client';
import {
  Button,
  Checkbox,
  Collapse,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { mdiChevronDown, mdiChevronUp } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import {
  isEncrypted,
  kindOf,
  losesPassword,
  missingFields,
  type NetworkKind,
  type SourceValues,
  sourceKinds,
} from './source-values.js';

export type SourceForm = UseFormReturnType<SourceValues>;

/** The faults of the form, by field. */
export function useSourceFaults(): (values: SourceValues) => Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return (values) =>
    Object.fromEntries(missingFields(values).map((name) => [name, t('streamSource.missing')]));
}

/** Where the frames come from: the fields of the chosen kind. */
export function SourceFields({
  form,
  stored,
}: {
  form: SourceForm;
  /** The source that there is, with or without a password. */
  stored?: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  const { kind } = form.values;
  return (
    <Stack>
      <Select
        label={t('streamSource.kind')}
        allowDeselect={false}
        data={sourceKinds.map((value) => ({ value, label: t(`streamSource.kinds.${value}`) }))}
        {...form.getInputProps('kind')}
      />
      {kind === 'usb' ? (
        <TextInput
          label={t('streamSource.device')}
          description={t('streamSource.deviceHint')}
          required
          spellCheck={false}
          {...form.getInputProps('device')}
        />
      ) : kind === 'video' ? (
        <NumberInput
          label={t('streamSource.video')}
          description={t('streamSource.videoHint')}
          required
          min={1}
          allowDecimal={false}
          {...form.getInputProps('video')}
        />
      ) : (
        <NetworkFields form={form} kind={kind} stored={stored} />
      )}
    </Stack>
  );
}

function NetworkFields({
  form,
  kind,
  stored,
}: {
  form: SourceForm;
  kind: NetworkKind;
  stored: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  const isLost = stored !== undefined && losesPassword(stored, form.values);
  const isKept = stored?.has_password === true && !isLost;
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
        maxLength={2000}
        {...address}
        onBlur={(event) => {
          onBlur(event);
          form.setFieldValue('kind', kindOf(event.currentTarget.value, kind));
        }}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('streamSource.username')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label={t('streamSource.password')}
          autoComplete="new-password"
          maxLength={200}
          {...(isKept ? { placeholder: t('streamSource.kept') } : {})}
          {...form.getInputProps('password')}
        />
      </SimpleGrid>
      {isLost && (
        <Text size="sm" role="status">
          {t('streamSource.passwordLost')}
        </Text>
      )}
      {(kind === 'rtsp' || isEncrypted(form.values.address)) && <MoreFields form={form} kind={kind} />}
    </>
  );
}

/** What most cameras do not need. */
function MoreFields({ form, kind }: { form: SourceForm; kind: NetworkKind }) {
  const { t } = useTranslation();
  const { hasSubstream, transport, isUnchecked } = form.values;
  const [isMore, more] = useDisclosure(hasSubstream || transport === 'udp' || isUnchecked);
  return (
    <>
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
      <Collapse expanded={isMore}>
        <Stack>
          {kind === 'rtsp' && (
            <div>
              <Text size="sm" fw={500} id="stream-transport">
                {t('streamSource.transport')}
              </Text>
              <Text size="xs" c="dimmed" mb={4}>
                {t('streamSource.transportHint')}
              </Text>
              <SegmentedControl
                aria-labelledby="stream-transport"
                data={[
                  { value: 'tcp', label: t('streamSource.tcp') },
                  { value: 'udp', label: t('streamSource.udp') },
                ]}
                {...form.getInputProps('transport')}
              />
            </div>
          )}
          {isEncrypted(form.values.address) && (
            <Checkbox
              label={t('streamSource.unchecked')}
              description={t('streamSource.uncheckedHint')}
              {...form.getInputProps('isUnchecked', { type: 'checkbox' })}
            />
          )}
          {kind === 'rtsp' && (
            <>
              <Checkbox
                label={t('streamSource.substream')}
                description={t('streamSource.substreamHint')}
                {...form.getInputProps('hasSubstream', { type: 'checkbox' })}
              />
              {hasSubstream && (
                <TextInput
                  label={t('streamSource.substreamAddress')}
                  placeholder="rtsp://192.168.1.20/stream2"
                  required
                  inputMode="url"
                  spellCheck={false}
                  {...form.getInputProps('substream.address')}
                />
              )}
            </>
          )}
        </Stack>
      </Collapse>
    </>
  );
}
