import type { CountedDataset, DatasetBox, DatasetClass, DatasetImage } from '@lynceus/client';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, commandOf } from './commands.js';
import {
  accept,
  addLabel,
  changeLabel,
  type Draft,
  type DraftLabel,
  refuse,
  removeLabel,
  type Suggestion,
  setClass,
  toggleClass,
  toggleNone,
} from './drafts/draft.js';
import type { DraftStore } from './drafts/draft-store.js';
import { middleBox, moveBox, resizeBox, type Size } from './stage/geometry.js';
import { fitView, type View, zoomAt } from './stage/view.js';
import type { ImageNavigation } from './use-image-navigation.js';

const zoomStep = 1.4;
/** Elements in which keys type or select. */
const typingTargets =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=listbox], [role=menu]';

/** The actions on the labels of an image, for buttons, pointers and keys. */
export function useLabelCommands({
  dataset,
  image,
  store,
  labels,
  suggestions,
  mayChange,
  navigation,
  view,
  stage,
  onView,
  announce,
}: {
  dataset: CountedDataset;
  image: DatasetImage;
  store: DraftStore;
  labels: readonly DraftLabel[] | null;
  suggestions: readonly Suggestion[];
  mayChange: boolean;
  navigation: ImageNavigation;
  view: View | null;
  /** Size of the stage in CSS pixels. */
  stage: Size;
  onView: (view: View | null) => void;
  announce: (words: string) => void;
}) {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<{ readonly id: number; readonly key: number } | null>(null);
  const [activeId, setActiveId] = useState<number | null>(null);
  const [drawn, setDrawn] = useState<{ readonly id: number; readonly box: DatasetBox } | null>(null);
  const [continues, setContinues] = useLocalStorage({
    key: 'lynceus-labelling-goes-on',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [hasKeys, setHasKeys] = useLocalStorage({
    key: 'lynceus-labelling-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const hasBoxes = dataset.task === 'object_detection';
  const isOnlyOne = !hasBoxes && !dataset.multi_label;
  const size = image.image;
  const chosenLabel = (choice?.id === image.id && labels?.find(({ key }) => key === choice.key)) || null;
  const activeClass: DatasetClass | undefined =
    dataset.classes.find(({ id }) => id === activeId) ?? dataset.classes[0];
  /** A box drawn before there was a class: it is kept until a class is chosen. */
  const unnamed = drawn?.id === image.id ? drawn.box : null;
  const nameOf = (classId: number) => dataset.classes.find(({ id }) => id === classId)?.name ?? '';

  const choose = (key: number | null) => setChoice(key === null ? null : { id: image.id, key });
  const change = (how: (draft: Draft) => Draft, step: string | null = null) => {
    if (mayChange) store.change(image, how, step);
  };

  const pickClass = (classId: number) => {
    setActiveId(classId);
    if (hasBoxes) {
      if (unnamed) return draw(unnamed, classId);
      if (!chosenLabel) return announce(t('labelling.willDraw', { name: nameOf(classId) }));
      change((draft) => changeLabel(draft, chosenLabel.key, { classId }));
      return announce(t('labelling.isNow', { name: nameOf(classId) }));
    }
    change((draft) => (isOnlyOne ? setClass(draft, classId) : toggleClass(draft, classId)));
    announce(t('labelling.isNow', { name: nameOf(classId) }));
    if (isOnlyOne && continues && mayChange) navigation.nextUnlabelled();
  };

  const draw = (box: DatasetBox, classId = activeClass?.id) => {
    setDrawn(classId === undefined ? { id: image.id, box } : null);
    if (classId === undefined) return announce(t('labelling.needsClass'));
    change((draft) => addLabel(draft, classId, box));
    choose(store.read(image).history.present.labels?.at(-1)?.key ?? null);
    announce(t('labelling.drawn', { name: nameOf(classId) }));
  };

  const remove = (key: number) => {
    change((draft) => removeLabel(draft, key));
    choose(null);
    announce(t('labelling.deleted'));
  };

  const acceptSome = (some: readonly Suggestion[]) => {
    if (some.length === 0) return;
    change((draft) => accept(draft, some, isOnlyOne));
    announce(t('labelling.accepted', { count: some.length }));
  };

  const none = () => {
    choose(null);
    change(toggleNone);
    const isNone = store.read(image).history.present.labels?.length === 0;
    announce(isNone ? t('labelling.isNone') : t('labelling.isOpen'));
    if (isNone && isOnlyOne && continues) navigation.nextUnlabelled();
  };

  const zoom = (factor: number) => {
    const middle = { x: stage.width / 2, y: stage.height / 2 };
    onView(zoomAt(view ?? fitView(size, stage), middle, factor, size, stage));
  };

  const nudge = (command: Extract<Command, { dx: number }>) => {
    if (!chosenLabel?.box) return;
    const { key, box } = chosenLabel;
    const { dx, dy } = command;
    const next =
      command.kind === 'nudge'
        ? moveBox(box, { x: dx, y: dy }, size)
        : resizeBox(box, 'se', { x: box.x_max + dx, y: box.y_max + dy }, size);
    change((draft) => changeLabel(draft, key, { box: next }), `${command.kind} ${key}`);
  };

  const handlers = {
    none,
    next: navigation.next,
    previous: navigation.previous,
    'next-unlabelled': navigation.nextUnlabelled,
    accept: () => (suggestions.length > 0 ? acceptSome(suggestions) : navigation.nextUnlabelled()),
    delete: () => chosenLabel && remove(chosenLabel.key),
    undo: () => mayChange && store.undo(image),
    redo: () => mayChange && store.redo(image),
    release: () => {
      choose(null);
      setDrawn(null);
    },
    'add-box': () => hasBoxes && draw(middleBox(size)),
    'zoom-in': () => zoom(zoomStep),
    'zoom-out': () => zoom(1 / zoomStep),
    fit: () => onView(null),
  };

  const run = (command: Command) => {
    if (command.kind === 'class') {
      const one = dataset.classes[command.index];
      if (one) pickClass(one.id);
    } else if (command.kind === 'nudge' || command.kind === 'resize') nudge(command);
    else handlers[command.kind]();
  };

  useWindowEvent('keydown', (event) => {
    const { target } = event;
    if (!hasKeys || event.defaultPrevented || !(target instanceof Element)) return;
    if (target.closest(typingTargets) || document.querySelector('[role=dialog]')) return;
    if ((event.key === 'Enter' || event.key === ' ') && target.closest('button, a')) return;
    const command = commandOf(event, chosenLabel?.box != null);
    if (!command) return;
    event.preventDefault();
    run(command);
  });

  return {
    run,
    chosen: chosenLabel?.key ?? null,
    unnamed,
    activeClass: activeClass ?? null,
    isOnlyOne,
    continues,
    setContinues,
    hasKeys,
    setHasKeys,
    choose,
    pickClass,
    setClassOf: (key: number, classId: number) => change((draft) => changeLabel(draft, key, { classId })),
    draw,
    remove,
    changeBox: (key: number, box: DatasetBox, step?: string) =>
      change((draft) => changeLabel(draft, key, { box }), step ?? null),
    accept: acceptSome,
    refuse: (key: number) => change((draft) => refuse(draft, key)),
  };
}

export type LabelCommands = ReturnType<typeof useLabelCommands>;
