import type { Person } from '@lynceus/client';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAccountPlus } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { More, usePages } from '../../kit/more.js';
import { SearchField, useSearch } from '../../kit/search-field.js';
import { VirtualGrid } from '../../kit/virtual-grid.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { BulkCommand } from '../perception/bulk-command.js';
import { useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import styles from './people-page.module.css';
import { PersonWindow } from './person-window.js';

/** Height of the two lines below the face. */
const personCardBelowPx = 52;

const pageSize = 100;

/** The people of a perception as a grid of faces. */
export function PeoplePage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const modelId = useModelId();
  const search = useSearch();
  const [isAdding, adding] = useDisclosure(false);
  const list = usePages(
    ['faces', 'people', modelId, search.wanted ?? ''],
    (cursor, signal) =>
      client.people.page(modelId, { search: search.wanted, limit: pageSize, cursor, signal }),
    { isSearched: true },
  );
  const add = mayChange && (
    <Button leftSection={<Icon path={mdiAccountPlus} size={16} />} onClick={adding.open}>
      {t('faces.addPerson')}
    </Button>
  );
  return (
    <>
      <Answered query={list}>
        {(people) =>
          people.length === 0 && !search.wanted && search.typed === '' ? (
            <>
              <Empty icon={mdiAccountPlus} title={t('faces.noPeopleTitle')} text={t('faces.noPeopleText')}>
                {add}
              </Empty>
              {mayChange && <BulkCommand modelId={modelId} />}
            </>
          ) : (
            <>
              <Group mb="md" gap="sm">
                <SearchField label={t('faces.searchPeople')} value={search.typed} onChange={search.onType} />
                {add}
              </Group>
              {people.length === 0 ? (
                <Text c="dimmed" role="status">
                  {t('faces.noneFound', { search: search.wanted })}
                </Text>
              ) : (
                <VirtualGrid
                  label={t('faces.tabs.people')}
                  items={people}
                  minCellPx={132}
                  belowPx={personCardBelowPx}
                  keyOf={({ id }) => id}
                >
                  {(person) => <PersonCard person={person} />}
                </VirtualGrid>
              )}
              <More list={list} />
            </>
          )
        }
      </Answered>
      {isAdding && <NewPerson modelId={modelId} onClose={adding.close} />}
    </>
  );
}

function PersonCard({ person }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <Link to={`/faces/${person.model_id}/people/${person.id}`} className={styles['card']}>
      <FaceThumbnail imageId={person.image_id} />
      <div className={styles['words']}>
        <GivenName name={person.name} fw={500} size="sm" />
        <Text size="xs" c="dimmed" truncate>
          {t('faces.images', { count: person.images })}
          {person.key_id !== null && ` · ${person.key_id}`}
        </Text>
      </div>
    </Link>
  );
}

/** Adds a person, and opens the page to add images. */
function NewPerson({ modelId, onClose }: { modelId: number; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  return (
    <PersonWindow
      title={t('faces.addPerson')}
      submit={t('faces.addPerson')}
      save={(fields) => client.people.create(modelId, fields)}
      onSaved={({ id }) => {
        renew();
        navigate(`/faces/${modelId}/people/${id}`);
      }}
      onClose={onClose}
    />
  );
}
