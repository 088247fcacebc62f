import type { CustomModel, ModelVersion } from '@lynceus/client';
import { mdiCheckboxBlankOutline, mdiCheckboxMarked, mdiFileChart, mdiTrayArrowDown } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { ActionItem, FileItem, ResourceMenu } from '../../kit/resource-menu.js';
import { useAction } from '../../kit/use-action.js';
import { versionAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewModels } from '../queries.js';

export function VersionMenu({ model, version }: { model: CustomModel; version: ModelVersion }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const renew = useRenewModels();
  const { model_id: modelId } = model;
  const { number } = version;
  const setOneLabel = useAction({
    mutationFn: (oneLabel: boolean) => client.modelVersions.changeSettings(modelId, number, { oneLabel }),
    onSuccess: renew,
  });
  return (
    <ResourceMenu
      label={t('models.versions.menu', { number })}
      look="row"
      {...(mayChange && {
        remove: {
          item: t(version.is_current ? 'models.versions.keepActive' : 'models.versions.remove'),
          confirm: {
            title: t('models.versions.removeTitle', { number }),
            text: t('models.versions.removeText'),
            yes: t('models.remove'),
          },
          isDisabled: version.is_current,
          run: async () => {
            await client.modelVersions.remove(modelId, number);
            return renew();
          },
        },
      })}
    >
      <FileItem icon={mdiTrayArrowDown} href={versionAddress(modelId, number, 'model.onnx')}>
        {t('models.versions.download')}
      </FileItem>
      {version.origin === 'training' && (
        <FileItem icon={mdiFileChart} href={versionAddress(modelId, number, 'report.html')} target="_blank">
          {t('models.versions.reportPage')}
        </FileItem>
      )}
      {mayChange && model.task === 'object_detection' && (
        <ActionItem
          icon={version.one_label ? mdiCheckboxMarked : mdiCheckboxBlankOutline}
          role="menuitemcheckbox"
          aria-checked={version.one_label}
          disabled={setOneLabel.isPending}
          onClick={() => setOneLabel.mutate(!version.one_label)}
        >
          {t('models.versions.oneLabel')}
        </ActionItem>
      )}
    </ResourceMenu>
  );
}
