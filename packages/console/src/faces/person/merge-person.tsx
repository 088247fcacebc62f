import type { Person } from '@lynceus/client';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showDone } from '../../kit/error-text.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { FindPerson } from '../people/find-person.js';
import { useRenewFaces } from '../queries.js';

/** Merges two entries of the same person. */
export function MergePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  const [into, setInto] = useState<Person | null>(null);
  const merge = useMutation({
    mutationFn: (other: Person) => client.people.merge(person.id, { into: other.id }),
    onSuccess: async (left) => {
      onClose();
      await navigate(`/faces/${left.model_id}/people/${left.id}`);
      showDone(t('person.merged', { name: left.name }));
      await renew();
    },
  });
  return (
    <Window onClose={onClose} title={t('person.mergeTitle')}>
      <Stack>
        <Text size="sm">{t('person.mergeText', { name: person.name })}</Text>
        <FindPerson
          modelId={person.model_id}
          exceptId={person.id}
          label={t('person.mergeInto')}
          onChoose={setInto}
        />
        {into && (
          <Text size="sm">
            {t('person.mergeResult', {
              name: into.name,
              images: t('faces.images', { count: into.images + person.images }),
            })}
          </Text>
        )}
        <FormError error={merge.error} />
        <Button
          color="red"
          disabled={!into}
          loading={merge.isPending}
          onClick={() => into && merge.mutate(into)}
        >
          {t('person.mergeYes')}
        </Button>
      </Stack>
    </Window>
  );
}
