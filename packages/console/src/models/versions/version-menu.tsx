import type { CustomModel, ModelVersion } from '@lynceus/client';
import { ActionIcon, Menu } from '@mantine/core';
import {
  mdiCheckboxBlankOutline,
  mdiCheckboxMarked,
  mdiDelete,
  mdiDotsVertical,
  mdiFileChart,
  mdiTrayArrowDown,
} from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFileLink } from '../../kit/use-file-link.js';
import { versionAddress } from '../../service/addresses.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewModels } from '../queries.js';

export function VersionMenu({ model, version }: { model: CustomModel; version: ModelVersion }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const renew = useRenewModels();
  const confirm = useConfirm();
  const onFile = useFileLink();
  const { model_id: modelId } = model;
  const { number } = version;
  const remove = useAction({
    mutationFn: () => client.modelVersions.remove(modelId, number),
    onSuccess: renew,
  });
  const setOneLabel = useAction({
    mutationFn: (oneLabel: boolean) => client.modelVersions.changeSettings(modelId, number, { oneLabel }),
    onSuccess: renew,
  });
  const ask = () =>
    confirm({
      title: t('models.versions.removeTitle', { number }),
      text: t('models.versions.removeText'),
      yes: t('models.remove'),
      onYes: () => remove.mutate(),
    });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('models.versions.menu', { number })}>
          <Icon path={mdiDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={versionAddress(modelId, number, 'model.onnx')}
          download
          onClick={onFile}
          leftSection={<Icon path={mdiTrayArrowDown} size={16} />}
        >
          {t('models.versions.download')}
        </Menu.Item>
        {version.origin === 'training' && (
          <Menu.Item
            component="a"
            href={versionAddress(modelId, number, 'report.html')}
            target="_blank"
            rel="noopener"
            onClick={onFile}
            leftSection={<Icon path={mdiFileChart} size={16} />}
          >
            {t('models.versions.reportPage')}
          </Menu.Item>
        )}
        {mayChange && model.task === 'object_detection' && (
          <Menu.Item
            role="menuitemcheckbox"
            aria-checked={version.one_label}
            disabled={setOneLabel.isPending}
            onClick={() => setOneLabel.mutate(!version.one_label)}
            leftSection={
              <Icon path={version.one_label ? mdiCheckboxMarked : mdiCheckboxBlankOutline} size={16} />
            }
          >
            {t('models.versions.oneLabel')}
          </Menu.Item>
        )}
        {mayChange && (
          <Menu.Item
            color="red"
            disabled={version.is_current || remove.isPending}
            onClick={ask}
            leftSection={<Icon path={mdiDelete} size={16} />}
          >
            {t(version.is_current ? 'models.versions.keepActive' : 'models.versions.remove')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
