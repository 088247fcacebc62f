import { Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAccountGroup, mdiPlus, mdiUpload } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { Icon } from '../../kit/icon.js';
import { More, usePages } from '../../kit/more.js';
import { NameWindow } from '../../kit/name-window.js';
import { PageHead } from '../../kit/page-head.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewFaces } from '../queries.js';
import { ImportPerception } from './import-perception.js';
import { PerceptionCard } from './perception-card.js';

/** All collections of known faces. */
export function PerceptionsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [isCreating, creating] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const list = usePages(['perceptions', 'list'], (cursor, signal) =>
    client.perceptions.page({ cursor, signal }),
  );
  const createButton = mayChange && (
    <Button leftSection={<Icon path={mdiPlus} size={16} />} onClick={creating.open}>
      {t('faces.create')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('faces.title')} text={t('faces.text')}>
        {mayChange && (
          <Button
            variant="default"
            leftSection={<Icon path={mdiUpload} size={16} />}
            onClick={importing.open}
          >
            {t('faces.import.open')}
          </Button>
        )}
        {list.data && list.data.length > 0 && createButton}
      </PageHead>
      <Answered query={list}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={mdiAccountGroup} title={t('faces.emptyTitle')} text={t('faces.emptyText')}>
              {createButton}
            </Empty>
          ) : (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} component="ul" p={0} m={0}>
                {all.map((perception) => (
                  <PerceptionCard key={perception.model_id} perception={perception} />
                ))}
              </SimpleGrid>
              <More list={list} />
            </>
          )
        }
      </Answered>
      {isCreating && <NewPerception onClose={creating.close} />}
      {isImporting && <ImportPerception onClose={importing.close} />}
    </>
  );
}

/** Creates a perception by its name; other settings can be changed later. */
function NewPerception({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  return (
    <NameWindow
      title={t('faces.createTitle')}
      label={t('faces.name')}
      hint={t('faces.nameHint')}
      submit={t('faces.create')}
      save={(name) => client.perceptions.create({ name })}
      onSaved={({ model_id }) => {
        renew();
        navigate(`/faces/${model_id}`);
      }}
      onClose={onClose}
    />
  );
}
