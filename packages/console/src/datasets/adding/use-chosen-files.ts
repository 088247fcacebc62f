import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, useState } from 'react';
import { type ChosenFile, readDroppedFiles } from './dropped-files.js';

/** Files that are dropped anywhere on the page or pasted into it, and addresses that are pasted. */
export function useChosenFiles(isWanted: boolean, onChosen: () => void) {
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
      // What the window of images takes itself has been taken.
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
