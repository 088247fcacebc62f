import type { Person } from '@lynceus/client';
import { Button, Group, Progress, ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useReducer, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { type ChosenImage, ImageInput, toSource } from '../../kit/image/image-input.js';
import { PageHead } from '../../kit/page-head.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { advanceEnrolments, countEnrolments, type Enrolment } from '../enrolment/enrolment-list.js';
import { EnrolmentRow } from '../enrolment/enrolment-row.js';
import { usePerception, usePerson, useRenewFaces } from '../queries.js';
import { usePersonId } from '../route-ids.js';
import { Corrections } from './corrections.js';
import { PersonActions } from './person-actions.js';
import { PersonImages } from './person-images.js';

/** Images that are uploaded at once: the service has other work too. */
const atOnce = 2;

/** A person: images, new images, corrections, and actions on the person. */
export function PersonPage() {
  const { t } = useTranslation();
  const personId = usePersonId();
  const mayChange = useMayChange();
  const person = usePerson(personId);
  return (
    <Answered query={person}>
      {(now) => (
        <>
          <PersonHead person={now} />
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

function PersonHead({ person }: { person: Person }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const { id, name, model_id: modelId, images, key_id: keyId } = person;
  const perception = usePerception(modelId).data;
  return (
    <PageHead
      title={name}
      text={[
        t('faces.images', { count: images }),
        t('person.number', { id }),
        ...(keyId === null ? [] : [t('person.keyId', { keyId })]),
      ].join(' · ')}
      back={{ to: `/faces/${modelId}`, name: perception?.name ?? t('faces.title') }}
    >
      {mayChange && <PersonActions person={person} />}
    </PageHead>
  );
}

/** The input for images of a person. */
function AddImages({ personId }: { personId: number }) {
  const { t } = useTranslation();
  const enrolments = useEnrolments(personId);
  return (
    <section aria-label={t('person.addImages')}>
      <ImageInput
        hint={t('person.addHint')}
        isMany
        // More images can be added while others are uploaded.
        isBusy={false}
        onChoose={enrolments.give}
      />
      <EnrolmentReport
        list={enrolments.list}
        onRetry={enrolments.retry}
        onAccept={enrolments.accept}
        onClear={enrolments.clear}
      />
    </section>
  );
}

/** The result for each image. */
function EnrolmentReport({
  list,
  onRetry,
  onAccept,
  onClear,
}: {
  list: readonly Enrolment[];
  onRetry: (enrolment: Enrolment) => void;
  onAccept: (enrolment: Enrolment) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  if (list.length === 0) return null;
  const { all, settled, added } = countEnrolments(list);
  return (
    <Stack gap="xs" mt="sm">
      <Group justify="space-between">
        <Text size="sm" fw={500} role="status">
          {settled < all
            ? t('person.adding', { settled, count: all })
            : t('person.addedOf', { added, count: all })}
        </Text>
        {settled > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={onClear}>
            {t('person.clear')}
          </Button>
        )}
      </Group>
      {settled < all && <Progress value={(settled / all) * 100} aria-label={t('person.progress')} />}
      <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Stack gap="xs" component="ul" p={0} m={0}>
          {list.map((enrolment) => (
            <EnrolmentRow
              key={enrolment.id}
              enrolment={enrolment}
              onRetry={() => onRetry(enrolment)}
              onAccept={() => onAccept(enrolment)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

type QueuedImage = Pick<Enrolment, 'id' | 'source' | 'acceptsProblems'>;

/** Adds images to a person, a few at a time. It continues when another page is opened. */
function useEnrolments(personId: number) {
  const client = useClient();
  const renew = useRenewFaces();
  const [list, dispatch] = useReducer(advanceEnrolments, []);
  const lane = useRef({ nextId: 1, running: 0, waiting: [] as QueuedImage[] });

  const addOne = async ({ id, source, acceptsProblems }: QueuedImage) => {
    dispatch({ kind: 'stepped', id, step: { kind: 'adding' } });
    try {
      const result = await client.faceImages.add(source, {
        personId,
        ...(acceptsProblems ? { acceptProblems: true } : {}),
      });
      dispatch({ kind: 'stepped', id, step: { kind: 'answered', result } });
      return result.outcome === 'added';
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      dispatch({ kind: 'stepped', id, step: { kind: 'failed', error } });
      return false;
    }
  };

  const work = async () => {
    const { current } = lane;
    if (current.running >= atOnce) return;
    current.running += 1;
    let hasAdded = false;
    for (let next = current.waiting.shift(); next; next = current.waiting.shift()) {
      hasAdded = (await addOne(next)) || hasAdded;
    }
    current.running -= 1;
    if (hasAdded) await renew();
  };

  const queue = (enrolment: QueuedImage) => {
    lane.current.waiting.push(enrolment);
    void work();
  };

  return {
    list,
    give: (image: ChosenImage) => {
      const enrolment = { id: lane.current.nextId++, source: toSource(image) };
      dispatch({ kind: 'given', ...enrolment });
      queue(enrolment);
    },
    retry: (enrolment: Enrolment) => {
      dispatch({ kind: 'stepped', id: enrolment.id, step: { kind: 'waiting' } });
      queue(enrolment);
    },
    accept: ({ id, source }: Enrolment) => {
      dispatch({ kind: 'accepted', id });
      queue({ id, source, acceptsProblems: true });
    },
    clear: () => dispatch({ kind: 'cleared' }),
  };
}
