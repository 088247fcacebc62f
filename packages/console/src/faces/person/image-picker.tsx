import type { Person } from '@lynceus/client';
import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useClient } from '../../service/client.js';
import { FaceThumbnail } from '../face-thumbnail.js';

const shown = 20;

/** One of the newest images of a person. */
export function ImagePicker({
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
