import type { FaceMatches } from '@lynceus/client';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageInput, toSource } from '../../kit/image/image-input.js';
import { LocalImage } from '../../kit/image/local-image.js';
import { FormError } from '../../kit/save-form.js';
import { useClient } from '../../service/client.js';
import { BoxedImage } from '../boxed-image.js';
import type { ImageSource } from '../enrolment/enrolment-list.js';
import { usePerception } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { FaceReport } from './face-report.js';
import styles from './search-page.module.css';

/** Searches an image for known faces. The service counts no call and stores nothing. */
export function SearchPage() {
  const { t } = useTranslation();
  const client = useClient();
  const modelId = useModelId();
  const search = useMutation({
    mutationFn: async (source: ImageSource) => ({
      source,
      matches: await client.perceptions.search(source, { modelId }),
    }),
  });
  const [shown, setShown] = useState<{ source: ImageSource; matches: FaceMatches } | null>(null);
  const ask = (source: ImageSource) => {
    // While the same image is searched again, the previous result stays; for another image it would be wrong.
    if (source !== shown?.source) setShown(null);
    search.mutate(source, { onSuccess: setShown });
  };
  return (
    <Stack gap="lg">
      <ImageInput
        hint={t('faceSearch.hint')}
        isBusy={search.isPending}
        onChoose={(image) => ask(toSource(image))}
      />
      <FormError error={search.error} title={t('shell.failed')} />
      {shown && (
        <Found
          key={modelId}
          source={shown.source}
          matches={shown.matches}
          onAgain={() => ask(shown.source)}
        />
      )}
    </Stack>
  );
}

function Found({
  source,
  matches,
  onAgain,
}: {
  source: ImageSource;
  matches: FaceMatches;
  onAgain: () => void;
}) {
  const { t } = useTranslation();
  const modelId = useModelId();
  const decision = usePerception(modelId).data?.decision_similarity ?? null;
  const [chosen, setChosen] = useState<number | null>(null);
  const { faces, image } = matches;
  const boxes = faces.map((face, index) => {
    const name = face.verdict === 'unknown' ? null : face.candidates[0]?.name;
    return {
      box: face.box,
      tone: face.verdict,
      mark: name ? `${index + 1} · ${name}` : String(index + 1),
      label: t(`faceSearch.box.${face.verdict}`, { number: index + 1, name: name ?? '' }),
    };
  });
  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(`face-${index + 1}`)?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <div className={styles['image']}>
        <BoxedImage size={image} faces={boxes} chosen={chosen} onChoose={choose}>
          <LocalImage source={source} maxSide={1280} alt={t('faceSearch.image')} fit="contain" />
        </BoxedImage>
      </div>
      <Stack gap="md">
        <Text fw={500} role="status">
          {t('faceSearch.found', { count: faces.length })}
        </Text>
        {faces.map((face, index) => (
          <FaceReport
            key={`${face.box.x_min} ${face.box.y_min}`}
            number={index + 1}
            face={face}
            matches={matches}
            source={source}
            decision={decision}
            isChosen={index === chosen}
            onChanged={onAgain}
          />
        ))}
      </Stack>
    </SimpleGrid>
  );
}
