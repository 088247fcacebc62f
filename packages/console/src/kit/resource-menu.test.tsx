import { MantineThemeProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import { renderHtml } from '../fixtures/render.js';
import { ActionItem, FileItem, ResourceMenu } from './resource-menu.js';

/** As it is while it is open, at its place in the page. */
const opened = { components: { Menu: { defaultProps: { defaultOpened: true, withinPortal: false } } } };

const rename = { item: 'Rename', title: 'Rename it', label: 'Name', name: 'cats', save: async () => null };
const remove = {
  item: 'Delete',
  confirm: { title: 'Delete it?', text: 'It is gone then.', yes: 'Delete' },
  run: async () => null,
};

function renderMenu(menu: Partial<ComponentProps<typeof ResourceMenu>>, theme: object = {}) {
  return renderHtml(
    <MantineThemeProvider theme={theme}>
      <ModalsProvider>
        <ResourceMenu label="Actions" look="row" {...menu} />
      </ModalsProvider>
    </MantineThemeProvider>,
  );
}

const itemsOf = (html: string) =>
  [...html.matchAll(/<(?:button|a)[^>]*role="menuitem".*?<\/(?:button|a)>/gs)].map(([item]) => item);
const textsOf = (html: string) => itemsOf(html).map((item) => item.replaceAll(/<[^>]*>/g, ''));

test('a menu of dots has its label as its name; a button shows it', () => {
  for (const look of ['dots', 'row'] as const) expect(renderMenu({ look })).toContain('aria-label="Actions"');
  const button = renderMenu({ look: 'button' });
  expect(button).not.toContain('aria-label="Actions"');
  expect(button).toContain('Actions');
});

test('the name is first, and the deletion last, after a line', () => {
  const html = renderMenu({ rename, remove, children: <ActionItem icon="">Copy</ActionItem> }, opened);
  expect(textsOf(html)).toEqual(['Rename', 'Copy', 'Delete']);
  expect(html).toMatch(/Copy.*Menu-divider.*Delete/s);
});

test('a menu with nothing but the deletion has no line', () => {
  const html = renderMenu({ remove }, opened);
  expect(textsOf(html)).toEqual(['Delete']);
  expect(html).not.toContain('Menu-divider');
});

test('what may not be deleted cannot be pressed', () => {
  const [item] = itemsOf(renderMenu({ remove: { ...remove, isDisabled: true } }, opened));
  expect(item).toContain('disabled');
});

test('a file is downloaded, or shown in another tab', () => {
  const render = (target?: '_blank') =>
    itemsOf(
      renderMenu(
        {
          children: (
            <FileItem href="api/file" {...(target ? { target } : {})}>
              File
            </FileItem>
          ),
        },
        opened,
      ),
    );
  expect(render()[0]).toMatch(/href="api\/file" download/);
  expect(render('_blank')[0]).toMatch(/target="_blank" rel="noopener"/);
});
