import type { CorrectedPerson, Person } from '@lynceus/client';
import { Divider, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { showDone } from '../../kit/error-text.js';
import { ImageInput, toSource } from '../../kit/image/image-input.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { FindPerson } from '../people/find-person.js';
import { useRenewFaces } from '../queries.js';

const shown = 20;

type CorrectionRequest = { readonly image: File | { readonly url: string } } | { readonly imageId: number };

/** Adds a correction from an image file or from an image of another person. */
export function NewCorrection({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const [other, setOther] = useState<Person | null>(null);
  const add = useMutation({
    mutationFn: async (wanted: CorrectionRequest) => {
      const { outcome }: CorrectedPerson =
        'imageId' in wanted
          ? await client.corrections.addImage(wanted.imageId, { personId: person.id })
          : await client.corrections.add(wanted.image, { personId: person.id });
      if (outcome === 'no-face') throw new Error(t('person.noFace'));
    },
    onSuccess: async () => {
      onClose();
      showDone(t('person.corrections.added', { name: person.name }));
      await renew();
    },
  });
  return (
    <Window onClose={onClose} size="lg" title={t('person.corrections.addTitle', { name: person.name })}>
      <Stack>
        <FormError error={add.error} />
        <ImageInput
          hint={t('person.corrections.imageHint')}
          isBusy={add.isPending}
          onChoose={(image) => add.mutate({ image: toSource(image) })}
        />
        <Divider label={t('person.corrections.or')} />
        <FindPerson
          modelId={person.model_id}
          exceptId={person.id}
          label={t('person.corrections.whoItIs')}
          onChoose={setOther}
        />
        {other && (
          <>
            <Text size="sm">{t('person.corrections.whichImage')}</Text>
            <ImagePicker
              person={other}
              isBusy={add.isPending}
              onPick={(imageId) => add.mutate({ imageId })}
            />
          </>
        )}
      </Stack>
    </Window>
  );
}

/** One of the newest images of a person. */
function ImagePicker({
  person,
  isBusy,
  onPick,
}: {
  person: Person;
  isBusy: boolean;
  onPick: (imageId: number) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const images = useQuery({
    queryKey: ['faces', 'newest-images', person.id],
    queryFn: ({ signal }) => client.faceImages.page({ personId: person.id }, { limit: shown, signal }),
  });
  return (
    <Answered query={images}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('person.noImages')}
          </Text>
        ) : (
          <SimpleGrid cols={{ base: 4, xs: 6 }} spacing="xs">
            {data.map(({ id }) => (
              <UnstyledButton
                key={id}
                disabled={isBusy}
                aria-label={t('person.image', { id })}
                onClick={() => onPick(id)}
              >
                <FaceThumbnail imageId={id} />
              </UnstyledButton>
            ))}
          </SimpleGrid>
        )
      }
    </Answered>
  );
}
