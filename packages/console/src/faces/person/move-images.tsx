import type { Person } from '@lynceus/client';
import { Button, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showDone } from '../../kit/error-text.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { FindPerson } from '../people/find-person.js';
import { useRenewFaces } from '../queries.js';

/** Moves images to another person, for example if two people share one entry. */
export function MoveImages({
  person,
  imageIds,
  onClose,
  onMoved,
}: {
  person: Person;
  imageIds: readonly number[];
  onClose: () => void;
  onMoved: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const [target, setTarget] = useState<'known' | 'new'>('known');
  const [known, setKnown] = useState<Person | null>(null);
  const [name, setName] = useState('');
  const to =
    target === 'known' ? known && { personId: known.id } : name.trim() !== '' ? { name: name.trim() } : null;
  const move = useMutation({
    mutationFn: (wanted: NonNullable<typeof to>) => client.faceImages.move(person.model_id, imageIds, wanted),
    onSuccess: async (owner) => {
      showDone(t('person.moved', { count: imageIds.length, name: owner.name }));
      onClose();
      onMoved();
      await renew();
    },
  });
  return (
    <Window onClose={onClose} title={t('person.moveTitle', { count: imageIds.length })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (to) move.mutate(to);
        }}
      >
        <Stack>
          <SegmentedControl
            fullWidth
            aria-label={t('person.moveTo')}
            data={[
              { value: 'known', label: t('person.moveKnown') },
              { value: 'new', label: t('person.moveNew') },
            ]}
            value={target}
            onChange={(value) => setTarget(value === 'new' ? 'new' : 'known')}
          />
          {target === 'known' ? (
            <FindPerson
              modelId={person.model_id}
              exceptId={person.id}
              label={t('person.moveTo')}
              onChoose={setKnown}
            />
          ) : (
            <TextInput
              label={t('faces.personName')}
              required
              maxLength={200}
              dir="auto"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
          <FormError error={move.error} />
          <Button type="submit" disabled={!to} loading={move.isPending}>
            {t('person.move')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}
