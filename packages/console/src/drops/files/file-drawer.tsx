import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useComeBack } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { FileDetails } from './file-details.js';

/** One file beside the list, for as long as it is there. */
export function FileDrawer({
  dropId,
  fileId,
  onClose,
}: {
  dropId: number;
  fileId: string;
  onClose: () => void;
}) {
  useComeBack();
  const { t } = useTranslation();
  const client = useClient();
  const file = useQuery({
    queryKey: ['drop-files', dropId, 'one', fileId],
    queryFn: ({ signal }) => client.dropFiles.read(dropId, fileId, { signal }),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={
        file.data ? <bdi style={{ overflowWrap: 'anywhere' }}>{file.data.name}</bdi> : t('dropFiles.one')
      }
    >
      <Answered query={file}>
        {(found) => <FileDetails dropId={dropId} file={found} onGone={onClose} />}
      </Answered>
    </Drawer>
  );
}
