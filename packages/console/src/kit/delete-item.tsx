import { Menu } from '@mantine/core';
import { mdiDelete } from '@mdi/js';
import { useConfirm } from './confirm.js';
import { Icon } from './icon.js';

/** The last item of a menu: deletes after a confirmation. */
export function DeleteItem({
  label,
  confirm: { title, text, yes },
  isDisabled = false,
  onYes,
}: {
  label: string;
  confirm: { title: string; text: string; yes: string };
  isDisabled?: boolean;
  onYes: () => void;
}) {
  const confirm = useConfirm();
  return (
    <Menu.Item
      color="red"
      disabled={isDisabled}
      leftSection={<Icon path={mdiDelete} size={16} />}
      onClick={() => confirm({ title, text, yes, onYes })}
    >
      {label}
    </Menu.Item>
  );
}
