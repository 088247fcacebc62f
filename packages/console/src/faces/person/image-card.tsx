import type { FaceImage } from '@lynceus/client';
import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { mdiAlertCircle, mdiCheckCircle } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import styles from './image-card.module.css';

/** Height of the line beneath the face. */
export const imageCardBelowPx = 30;

export function ImageCard({
  image,
  isChosen,
  onOpen,
  onChoose,
}: {
  image: FaceImage;
  isChosen: boolean;
  onOpen: () => void;
  /** Null for who may only look. */
  onChoose: (() => void) | null;
}) {
  const { t } = useTranslation();
  const worst = image.quality.problems[0];
  const quality = worst ? t(`faces.problem.${worst}`) : t('person.good');
  return (
    <div className={styles['card']} data-chosen={isChosen}>
      <UnstyledButton
        className={styles['open']}
        onClick={onOpen}
        aria-label={t('person.openImage', { id: image.id, quality })}
      >
        <FaceThumbnail imageId={image.id} width={320} />
      </UnstyledButton>
      {onChoose && (
        <Checkbox
          className={styles['choose'] ?? ''}
          checked={isChosen}
          onChange={onChoose}
          aria-label={t('person.chooseImage', { id: image.id })}
        />
      )}
      <div className={styles['quality']} data-good={!worst} aria-hidden="true">
        <Icon path={worst ? mdiAlertCircle : mdiCheckCircle} size={16} />
        <Text size="xs" truncate>
          {quality}
        </Text>
      </div>
    </div>
  );
}
