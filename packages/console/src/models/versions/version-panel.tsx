import type { CustomModel } from '@lynceus/client';
import { Button, Group } from '@mantine/core';
import { mdiShapeOutline } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { More } from '../../kit/more.js';
import { useMayChange } from '../../service/current-session.js';
import { useVersions } from '../queries.js';
import { VersionTable } from './version-table.js';

export function VersionPanel({
  model,
  isTraining,
  onTrain,
  onUpload,
}: {
  model: CustomModel;
  /** A training is under way. */
  isTraining: boolean;
  onTrain: () => void;
  onUpload: () => void;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const list = useVersions(model.model_id);
  return (
    <Answered query={list}>
      {(versions) =>
        versions.length === 0 ? (
          <Empty
            icon={mdiShapeOutline}
            title={t('models.versions.emptyTitle')}
            text={t(isTraining ? 'models.versions.comesText' : 'models.versions.emptyText')}
          >
            {mayChange && !isTraining && (
              <Group justify="center">
                <Button onClick={onTrain}>{t('models.train')}</Button>
                <Button variant="default" onClick={onUpload}>
                  {t('models.upload')}
                </Button>
              </Group>
            )}
          </Empty>
        ) : (
          <>
            <VersionTable model={model} versions={versions} />
            <More list={list} />
          </>
        )
      }
    </Answered>
  );
}
