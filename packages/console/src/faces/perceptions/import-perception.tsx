import { Alert, Anchor, Button, FileInput, Stack, Text } from '@mantine/core';
import { mdiCheck } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../kit/icon.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** Imports an exported perception. The page must stay open: the file is uploaded in one request. */
export function ImportPerception({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation({
    mutationFn: (archive: File) => client.archives.import(archive),
    onSuccess: () => renew(),
  });
  return (
    <Window
      onClose={onClose}
      title={t('faces.import.title')}
      closeOnClickOutside={!send.isPending}
      closeOnEscape={!send.isPending}
      withCloseButton={!send.isPending}
    >
      {send.data ? (
        <Stack>
          <Alert color="lynx" icon={<Icon path={mdiCheck} />} title={t('faces.import.done')} role="status">
            {t('faces.people', { count: send.data.people })} ·{' '}
            {t('faces.images', { count: send.data.images })}
            {send.data.re_embedded > 0 && (
              <Text size="sm">{t('faces.import.reEmbedded', { count: send.data.re_embedded })}</Text>
            )}
            {send.data.left_out > 0 && (
              <Text size="sm">{t('faces.import.leftOut', { count: send.data.left_out })}</Text>
            )}
          </Alert>
          <Anchor component={Link} to={`/faces/${send.data.perception.model_id}`}>
            {t('faces.import.openIt')}
          </Anchor>
        </Stack>
      ) : (
        <Stack>
          <Text size="sm">{t('faces.import.text')}</Text>
          <FileInput
            label={t('faces.import.file')}
            placeholder={t('faces.import.choose')}
            accept=".tar,application/x-tar"
            value={file}
            onChange={setFile}
            disabled={send.isPending}
            required
          />
          <FormError error={send.error} />
          <Button disabled={!file} loading={send.isPending} onClick={() => file && send.mutate(file)}>
            {t('faces.import.start')}
          </Button>
          {send.isPending && (
            <Text size="sm" role="status">
              {t('faces.import.underWay')}
            </Text>
          )}
        </Stack>
      )}
    </Window>
  );
}
