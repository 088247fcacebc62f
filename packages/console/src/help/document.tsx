import { Anchor, Box, Code, Image, Table, Typography } from '@mantine/core';
import { useEffect } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { Link, useLocation } from 'react-router';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import styles from './document.module.css';
import { imageAddress, resolveLink } from './documents.js';

/** One page of the documentation. HTML in it is shown as text. */
export function Document({ markdown, name }: { markdown: string; name: string }) {
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looks for the heading before the page is rendered.
    if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  return (
    <article className={styles['document']}>
      <Typography>
        <Markdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSlug]} components={componentsFor(name)}>
          {markdown}
        </Markdown>
      </Typography>
    </article>
  );
}

function componentsFor(name: string): Components {
  return {
    a: ({ href = '', children }) => {
      const link = resolveLink(href, name);
      if (link === null) return <span>{children}</span>;
      if ('to' in link) {
        return (
          <Anchor component={Link} to={link.to} inherit underline="always">
            {children}
          </Anchor>
        );
      }
      return (
        <Anchor href={link.href} target="_blank" rel="noreferrer" inherit underline="always">
          {children}
        </Anchor>
      );
    },
    img: ({ src, alt }) => <Image src={imageAddress(String(src))} alt={alt ?? ''} radius="md" maw={900} />,
    table: ({ children }) => (
      <Box className={styles['wide']} tabIndex={0}>
        <Table withTableBorder verticalSpacing="xs" miw={500}>
          {children}
        </Table>
      </Box>
    ),
    pre: ({ children }) => (
      <Box component="pre" className={styles['block']} tabIndex={0}>
        {children}
      </Box>
    ),
    code: ({ children }) => <Code>{children}</Code>,
  };
}
