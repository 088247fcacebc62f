import { ActionIcon, Button, Menu, type MenuItemProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiDotsHorizontal, mdiDotsVertical, mdiRename } from '@mdi/js';
import type { ComponentProps, ComponentPropsWithoutRef, ReactNode } from 'react';
import { DeleteItem } from './delete-item.js';
import { Icon } from './icon.js';
import { NameWindow } from './name-window.js';
import { useAction } from './use-action.js';
import { useFileLink } from './use-file-link.js';

interface Renaming extends Pick<ComponentProps<typeof NameWindow>, 'title' | 'label' | 'name'> {
  /** The text of the item. */
  readonly item: string;
  readonly save: (name: string) => Promise<unknown>;
  readonly onSaved?: () => unknown;
}

interface Deletion {
  /** The text of the item. */
  readonly item: string;
  readonly confirm: ComponentProps<typeof DeleteItem>['confirm'];
  /** Deletes, and shows that it is done. */
  readonly run: () => Promise<unknown>;
  readonly isDisabled?: boolean;
}

/** The menu of one thing: its name, further items, and its deletion after a confirmation. */
export function ResourceMenu({
  label,
  look,
  isBusy = false,
  rename,
  remove,
  children,
}: {
  label: string;
  /** A button with the label, or three dots: with a frame for a page, or bare in a row of a list. */
  look: 'button' | 'dots' | 'row';
  /** While an action of another item runs. */
  isBusy?: boolean;
  rename?: Renaming;
  remove?: Deletion;
  children?: ReactNode;
}) {
  const [isRenaming, renaming] = useDisclosure(false);
  const deleting = useAction({
    mutationFn: async () => remove?.run(),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>{target(look, label, isBusy || deleting.isPending)}</Menu.Target>
        <Menu.Dropdown>
          {rename && (
            <ActionItem icon={mdiRename} onClick={renaming.open}>
              {rename.item}
            </ActionItem>
          )}
          {children}
          {remove && (
            <>
              {(rename || children) && <Menu.Divider />}
              <DeleteItem
                label={remove.item}
                confirm={remove.confirm}
                isDisabled={remove.isDisabled ?? false}
                onYes={() => deleting.mutate()}
              />
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {rename && isRenaming && <NameWindow onSaved={() => undefined} {...rename} onClose={renaming.close} />}
    </>
  );
}

function target(look: 'button' | 'dots' | 'row', label: string, isBusy: boolean) {
  if (look === 'button') {
    return (
      <Button variant="default" leftSection={<Icon path={mdiDotsHorizontal} size={18} />} loading={isBusy}>
        {label}
      </Button>
    );
  }
  return (
    <ActionIcon
      {...(look === 'dots' ? { variant: 'default', size: 36 } : { variant: 'subtle', color: 'gray' })}
      aria-label={label}
      loading={isBusy}
    >
      <Icon path={mdiDotsVertical} />
    </ActionIcon>
  );
}

/** An item that acts. */
export function ActionItem({
  icon,
  ...item
}: { icon: string } & MenuItemProps & ComponentPropsWithoutRef<'button'>) {
  return <Menu.Item leftSection={<Icon path={icon} size={16} />} {...item} />;
}

/** An item that downloads a file of the service, straight to disk, or with `target` shows it. */
export function FileItem({
  icon,
  href,
  target,
  isDisabled = false,
  children,
}: {
  icon?: string;
  href: string;
  /** Of a page that is shown, in another tab. */
  target?: '_blank';
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const onFile = useFileLink();
  return (
    <Menu.Item
      component="a"
      href={href}
      {...(target ? { target, rel: 'noopener' } : { download: true })}
      disabled={isDisabled}
      onClick={onFile}
      {...(icon ? { leftSection: <Icon path={icon} size={16} /> } : {})}
    >
      {children}
    </Menu.Item>
  );
}
