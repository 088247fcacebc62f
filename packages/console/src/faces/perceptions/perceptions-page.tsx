import { Button, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAccountGroup, mdiUpload } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CreateButton, ListPage } from '../../kit/data-list.js';
import { Icon } from '../../kit/icon.js';
import { usePages } from '../../kit/more.js';
import { NameWindow } from '../../kit/name-window.js';
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
  return (
    <>
      <ListPage
        head={{ title: t('faces.title'), text: t('faces.text') }}
        list={list}
        create={mayChange && <CreateButton text={t('faces.create')} onClick={creating.open} />}
        actions={
          mayChange && (
            <Button
              variant="default"
              leftSection={<Icon path={mdiUpload} size={16} />}
              onClick={importing.open}
            >
              {t('faces.import.open')}
            </Button>
          )
        }
        empty={{ icon: mdiAccountGroup, title: t('faces.emptyTitle'), text: t('faces.emptyText') }}
      >
        {(all) => (
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} component="ul" p={0} m={0}>
            {all.map((perception) => (
              <PerceptionCard key={perception.model_id} perception={perception} />
            ))}
          </SimpleGrid>
        )}
      </ListPage>
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
