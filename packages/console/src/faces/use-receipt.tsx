import type { DeletionReceipt } from '@lynceus/client';
import { Button, Stack, Table, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../kit/use-format.js';

const counted = ['people', 'images', 'embeddings', 'corrections'] as const;

/** Shows what a deletion removed, as the service counted it. */
export function useReceipt(): (title: string, receipt: DeletionReceipt) => void {
  const { t } = useTranslation();
  const { bytes, number } = useFormat();
  return (title, receipt) => {
    const modalId = 'receipt';
    modals.open({
      modalId,
      title,

      children: (
        <Stack>
          <Text size="sm">{t('faces.receipt.text')}</Text>
          <Table variant="vertical" layout="fixed">
            <Table.Tbody>
              {counted.map((what) => (
                <Table.Tr key={what}>
                  <Table.Th scope="row">{t(`faces.receipt.${what}`)}</Table.Th>
                  <Table.Td ta="end">{number(receipt[what])}</Table.Td>
                </Table.Tr>
              ))}
              <Table.Tr>
                <Table.Th scope="row">{t('faces.receipt.bytes')}</Table.Th>
                <Table.Td ta="end">{bytes(receipt.image_bytes)}</Table.Td>
              </Table.Tr>
            </Table.Tbody>
          </Table>
          <Button onClick={() => modals.close(modalId)}>{t('kit.close')}</Button>
        </Stack>
      ),
    });
  };
}
