import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { PageHead } from '../../kit/page-head.js';
import { useMayChange } from '../../service/current-session.js';
import { AddImages } from '../enrolment/add-images.js';
import { usePerson } from '../queries.js';
import { usePersonId } from '../route-ids.js';
import { Trail } from '../trail.js';
import { Corrections } from './corrections.js';
import { PersonActions } from './person-actions.js';
import { PersonImages } from './person-images.js';

/** Somebody with all images of them, and what can be put right. */
export function PersonPage() {
  const { t } = useTranslation();
  const personId = usePersonId();
  const mayChange = useMayChange();
  const person = usePerson(personId);
  return (
    <Answered query={person}>
      {(now) => (
        <>
          <Trail modelId={now.model_id} />
          <PageHead
            title={now.name}
            text={[
              t('faces.images', { count: now.images }),
              t('person.number', { id: now.id }),
              ...(now.key_id === null ? [] : [t('person.keyId', { keyId: now.key_id })]),
            ].join(' · ')}
          >
            {mayChange && <PersonActions person={now} />}
          </PageHead>
          <Stack gap="xl">
            {mayChange && <AddImages key={now.id} personId={now.id} />}
            <section aria-labelledby="images">
              <Title order={2} size="h4" mb="sm" id="images">
                {t('person.images')}
              </Title>
              <PersonImages key={now.id} person={now} />
            </section>
            <Corrections key={now.id} person={now} />
          </Stack>
        </>
      )}
    </Answered>
  );
}
