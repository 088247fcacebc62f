import type { CountedDataset, DatasetBox, DatasetImage } from '@lynceus/client';
import { Alert, Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useElementSize } from '@mantine/hooks';
import { mdiAlert, mdiCheck, mdiCloudUpload, mdiPencil } from '@mdi/js';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Blocker } from 'react-router';
import { classColour } from '../datasets/classes/class-dot.js';
import { useErrorText } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { Window } from '../kit/window.js';
import { StartTraining } from '../models/training/start-training.js';
import { datasetImageAddress } from '../service/addresses.js';
import { useMayChange } from '../service/current-session.js';
import { type DraftEntry, type DraftStore, isUnsaved, LabelledElsewhere } from './drafts/draft-store.js';
import { ClassPicker } from './panel/class-picker.js';
import { LabelList } from './panel/label-list.js';
import { NavigationBar } from './panel/navigation-bar.js';
import { SuggestionPanel } from './panel/suggestion-panel.js';
import { Toolbar } from './panel/toolbar.js';
import { Stage } from './stage/stage.js';
import type { View } from './stage/view.js';
import { useDraftEntry, useSaveBeforeLeaving } from './use-drafts.js';
import { useImageNavigation } from './use-image-navigation.js';
import { useLabelCommands } from './use-label-commands.js';
import type { useQueue } from './use-queue.js';
import { useSuggester } from './use-suggester.js';
import classes from './workbench.module.css';

/** The page of one image: its labels, tools and navigation. */
export function Workbench({
  dataset,
  image,
  queue,
  store,
}: {
  dataset: CountedDataset;
  image: DatasetImage;
  queue: ReturnType<typeof useQueue>;
  store: DraftStore;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const entry = useDraftEntry(store, image);
  const { labels } = entry.history.present;
  const [said, setSaid] = useState('');
  const [seen, setSeen] = useState<{ readonly id: number; readonly view: View } | null>(null);
  const [isDrawing, setIsDrawing] = useState(true);
  const [isTraining, training] = useDisclosure(false);
  const { ref: stage, width, height } = useElementSize();
  const { id: imageId } = image;
  const setView = useCallback((next: View | null) => setSeen(next && { id: imageId, view: next }), [imageId]);
  const view = seen?.id === image.id ? seen.view : null;
  const navigation = useImageNavigation({ dataset, image, queue, store, announce: setSaid });
  const blocker = useSaveBeforeLeaving(store, image.id);
  const suggester = useSuggester(dataset, image, entry.history.present);
  const commands = useLabelCommands({
    dataset,
    image,
    store,
    labels,
    mayChange,
    navigation,
    view,
    announce: setSaid,
    suggestions: suggester.open,
    stage: { width, height },
    onView: setView,
  });
  const indexOf = (classId: number) => dataset.classes.findIndex(({ id }) => id === classId);
  const named = <Item extends { readonly classId: number }>(item: Item) => {
    const index = indexOf(item.classId);
    return { ...item, name: dataset.classes[index]?.name ?? '?', colour: classColour(index) };
  };
  const hasBoxes = dataset.task === 'object_detection';
  const shown = (labels ?? []).map(named);
  return (
    <div className={classes['bench']}>
      <NavigationBar
        dataset={dataset}
        image={image}
        queue={queue}
        navigation={navigation}
        onTrain={async () => {
          if (await store.flush(image.id)) training.open();
        }}
      />
      <div className={classes['work']}>
        <div className={classes['left']}>
          <Toolbar
            commands={commands}
            history={entry.history}
            hasBoxes={hasBoxes}
            isDrawing={isDrawing}
            onDrawing={setIsDrawing}
            mayChange={mayChange}
          />
          <div ref={stage} className={classes['stage']}>
            <Stage
              stage={{ width, height }}
              datasetId={dataset.id}
              image={image}
              labels={shown}
              suggestions={suggester.open.map(named)}
              chosen={commands.chosen}
              unnamed={commands.unnamed}
              isDrawing={isDrawing && hasBoxes && mayChange}
              drawnColour={classColour(commands.activeClass ? indexOf(commands.activeClass.id) : 0)}
              view={view}
              onView={setView}
              onChoose={commands.choose}
              onDraw={(box: DatasetBox) => commands.draw(box)}
              onChange={commands.changeBox}
              onAccept={(suggestion) => commands.accept([suggestion])}
            />
          </div>
        </div>
        <div className={classes['panel']}>
          <SaveState
            entry={entry}
            onRetry={() => store.flush(image.id, { overOthers: true })}
            onDiscard={() => store.discard(image.id)}
          />
          {image.partly_labelled && (
            <Alert color="yellow" icon={<Icon path={mdiAlert} />} p="xs">
              <Text size="sm">{t('labelling.partly')}</Text>
              {mayChange && (
                <Button
                  size="compact-sm"
                  variant="default"
                  mt={6}
                  onClick={() => saveAsTheyAre(store, image)}
                >
                  {t('labelling.complete')}
                </Button>
              )}
            </Alert>
          )}
          <ClassPicker dataset={dataset} labels={labels} commands={commands} mayChange={mayChange} />
          <SuggestionPanel
            dataset={dataset}
            suggester={suggester}
            commands={commands}
            mayChange={mayChange}
          />
          {hasBoxes && (
            <LabelList
              labels={shown}
              image={image}
              dataset={dataset}
              commands={commands}
              mayChange={mayChange}
            />
          )}
        </div>
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {/* The next image is loaded ahead. */}
      {navigation.nextId !== null && (
        <img hidden alt="" src={datasetImageAddress(dataset.id, navigation.nextId, 1280)} />
      )}
      {isTraining && <StartTraining dataset={dataset} onClose={training.close} />}
      <LeaveUnsaved blocker={blocker} entry={entry} />
    </div>
  );
}

/** Saves labels that were not changed: that says that they are complete. */
function saveAsTheyAre(store: DraftStore, image: DatasetImage): void {
  store.change(image, (draft) => ({ ...draft, labels: draft.labels && [...draft.labels] }));
  store.flush(image.id);
}

/** Asks for a confirmation when the user leaves while labels are not saved. */
function LeaveUnsaved({ blocker, entry }: { blocker: Blocker; entry: DraftEntry }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (blocker.state !== 'blocked' || entry.isSaving || !entry.error) return null;
  const reason = entry.error instanceof LabelledElsewhere ? t('labelling.elsewhere') : errorText(entry.error);
  return (
    <Window onClose={() => blocker.reset()} title={t('labelling.leaveTitle')}>
      <Stack>
        <Text size="sm">{t('labelling.leaveText', { reason })}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => blocker.reset()} data-autofocus>
            {t('labelling.stay')}
          </Button>
          <Button color="red" onClick={() => blocker.proceed()}>
            {t('labelling.leave')}
          </Button>
        </Group>
      </Stack>
    </Window>
  );
}

/** Whether the labels are saved; if not, the reason and what to do. */
function SaveState({
  entry,
  onRetry,
  onDiscard,
}: {
  entry: DraftEntry;
  onRetry: () => void;
  onDiscard: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (entry.error && isUnsaved(entry) && !entry.isSaving) {
    const isElsewhere = entry.error instanceof LabelledElsewhere;
    return (
      <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('labelling.notSaved')} role="alert">
        <Stack gap="xs" align="start">
          <Text size="sm">{isElsewhere ? t('labelling.elsewhere') : errorText(entry.error)}</Text>
          <Text size="sm">{t('labelling.kept')}</Text>
          <Group gap="xs">
            <Button size="xs" onClick={onRetry}>
              {isElsewhere ? t('labelling.overOthers') : t('shell.retry')}
            </Button>
            <Button size="xs" variant="default" onClick={onDiscard}>
              {isElsewhere ? t('labelling.takeOthers') : t('labelling.discard')}
            </Button>
          </Group>
        </Stack>
      </Alert>
    );
  }
  const { labels } = entry.history.present;
  const state = entry.isSaving ? 'saving' : isUnsaved(entry) ? 'changed' : labels === null ? 'open' : 'saved';
  const icon = { saving: mdiCloudUpload, changed: mdiPencil, open: mdiPencil, saved: mdiCheck }[state];
  return (
    <Group gap={6} c="dimmed">
      <Icon path={icon} size={16} />
      <Text size="sm">{t(`labelling.state.${state}`)}</Text>
    </Group>
  );
}
