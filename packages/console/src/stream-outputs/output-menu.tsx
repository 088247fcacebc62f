import type { StreamOutput } from '@lynceus/client';
import { mdiPause, mdiPencil, mdiPlay, mdiSendCheck } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { showDone } from '../kit/error-text.js';
import { ActionItem, ResourceMenu } from '../kit/resource-menu.js';
import { useAction } from '../kit/use-action.js';
import { useClient } from '../service/client.js';

/** The menu of an output. */
export function OutputMenu({
  output,
  onChange,
  onTest,
}: {
  output: StreamOutput;
  onChange: () => void;
  onTest: () => void;
}) {
  const { t } = useTranslation();
  const { id, name, enabled } = output;
  const client = useClient();
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: ['stream-outputs'] });
  const toggle = useAction({
    mutationFn: () => client.streamOutputs.change(id, { enabled: !enabled }),
    onSuccess: renew,
  });
  return (
    <ResourceMenu
      label={t('streamOutputs.more', { name })}
      look="row"
      isBusy={toggle.isPending}
      remove={{
        item: t('streamOutputs.delete'),
        confirm: {
          title: t('streamOutputs.deleteTitle', { name }),
          text: t('streamOutputs.deleteText'),
          yes: t('streamOutputs.delete'),
        },
        run: async () => {
          await client.streamOutputs.remove(id);
          showDone(t('streamOutputs.deleted'));
          return renew();
        },
      }}
    >
      <ActionItem icon={mdiSendCheck} onClick={onTest}>
        {t('streamOutputs.test')}
      </ActionItem>
      <ActionItem icon={mdiPencil} onClick={onChange}>
        {t('streamOutputs.change')}
      </ActionItem>
      <ActionItem icon={enabled ? mdiPause : mdiPlay} onClick={() => toggle.mutate()}>
        {t(enabled ? 'streamOutputs.disable' : 'streamOutputs.enable')}
      </ActionItem>
    </ResourceMenu>
  );
}
