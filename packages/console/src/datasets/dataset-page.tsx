import type { CountedDataset } from '@lynceus/client';
import { Badge, Button, Group, Tabs } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { mdiImagePlus, mdiSchoolOutline, mdiTagEdit } from '@mdi/js';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Icon } from '../kit/icon.js';
import { PageHead } from '../kit/page-head.js';
import { useFormat } from '../kit/use-format.js';
import { StartTraining } from '../models/training/start-training.js';
import { useMayChange } from '../service/current-session.js';
import { AddImages } from './adding/add-images.js';
import { type ChosenFile, readDroppedFiles } from './adding/dropped-files.js';
import { CheckPanel } from './check-panel.js';
import { ClassList } from './classes/class-list.js';
import { LabelledBar } from './dataset-card.js';
import { DatasetMenu } from './dataset-menu.js';
import { ImagesPanel } from './images/images-panel.js';
import { ImportProgress } from './import-progress.js';
import { useDataset } from './queries.js';

const tabs = ['images', 'classes', 'check'] as const;

export function DatasetPage() {
  const id = Number(useParams()['id']);
  const query = useDataset(id);
  return <Answered query={query}>{(dataset) => <DatasetView key={id} dataset={dataset} />}</Answered>;
}

function DatasetView({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayChange = useMayChange();
  const [params, setParams] = useSearchParams();
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'images';
  const [isAdding, adding] = useDisclosure(false);
  const [isTraining, training] = useDisclosure(false);
  const given = useChosenFiles(mayChange, adding.open);
  // The next step is the primary button.
  const isAllLabelled = dataset.labelled === dataset.images;
  return (
    <div {...given.dropTarget}>
      <PageHead title={dataset.name} back={{ to: '/datasets', name: t('datasets.title') }}>
        {mayChange && (
          <>
            <Button
              variant="default"
              leftSection={<Icon path={mdiImagePlus} size={16} />}
              onClick={adding.open}
            >
              {t('datasets.add')}
            </Button>
            {dataset.images > 0 && (
              <Button
                component={Link}
                to={`/datasets/${dataset.id}/label`}
                variant={isAllLabelled ? 'default' : 'filled'}
                leftSection={<Icon path={mdiTagEdit} size={16} />}
              >
                {t('datasets.label')}
              </Button>
            )}
            {dataset.labelled > 0 && (
              <Button
                variant={isAllLabelled ? 'filled' : 'default'}
                leftSection={<Icon path={mdiSchoolOutline} size={16} />}
                onClick={training.open}
              >
                {t('datasets.train')}
              </Button>
            )}
          </>
        )}
        <DatasetMenu dataset={dataset} />
      </PageHead>
      <Group mb="md" gap="md">
        <Badge variant="light">
          {t(`datasets.task.${dataset.multi_label ? 'multi_label' : dataset.task}`)}
        </Badge>
        {dataset.train + dataset.held_out > 0 && (
          <Badge variant="default">
            {t('datasets.splitCounts', {
              train: format.number(dataset.train),
              heldOut: format.number(dataset.held_out),
            })}
          </Badge>
        )}
        <LabelledBar dataset={dataset} />
      </Group>
      <ImportProgress datasetId={dataset.id} />
      <Tabs
        value={tab}
        onChange={(name) => setParams(name === 'images' || !name ? {} : { tab: name }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`datasets.tab.${name}`, {
                images: format.number(dataset.images),
                classes: format.number(dataset.classes.length),
              })}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="images">
          <ImagesPanel dataset={dataset} onAdd={adding.open} />
        </Tabs.Panel>
        <Tabs.Panel value="classes">
          <ClassList dataset={dataset} />
        </Tabs.Panel>
        <Tabs.Panel value="check">
          <CheckPanel dataset={dataset} />
        </Tabs.Panel>
      </Tabs>
      {isAdding && (
        <AddImages
          dataset={dataset}
          files={given.files}
          text={given.text}
          onClose={() => {
            adding.close();
            given.clear();
          }}
        />
      )}
      {isTraining && <StartTraining dataset={dataset} onClose={training.close} />}
    </div>
  );
}

/** Files that are dropped anywhere on the page or pasted into it, and addresses that are pasted. */
function useChosenFiles(isWanted: boolean, onChosen: () => void) {
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [text, setText] = useState('');
  useWindowEvent('paste', (event) => {
    const isElsewhere =
      event.target instanceof Element && event.target.closest('input, textarea, [role=dialog]');
    if (!isWanted || isElsewhere || !event.clipboardData) return;
    const pasted = [...event.clipboardData.files];
    const words = event.clipboardData.getData('text/plain');
    if (pasted.length > 0) setFiles(pasted.map((file) => ({ file, folder: null })));
    else if (/^https?:\/\//i.test(words.trim())) setText(words);
    else return;
    event.preventDefault();
    onChosen();
  });
  const dropTarget = {
    onDragOver: (event: DragEvent) => {
      if (isWanted && event.dataTransfer.types.includes('Files')) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      // The window that adds images has handled it.
      if (!isWanted || event.defaultPrevented) return;
      event.preventDefault();
      readDroppedFiles(event.dataTransfer).then((dropped) => {
        if (dropped.length === 0) return;
        setFiles(dropped);
        onChosen();
      });
    },
  };
  const clear = () => {
    setFiles([]);
    setText('');
  };
  return { files, text, dropTarget, clear };
}
