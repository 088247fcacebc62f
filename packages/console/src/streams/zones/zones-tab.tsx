import type { Stream } from '@lynceus/client';
import { Button, Grid, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { classColour } from '../../datasets/classes/class-dot.js';
import { useObjectUrl } from '../../kit/image/use-shown-image.js';
import { FormError } from '../../kit/save-form.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { hasFrames, ratioOf } from '../live/live-image.js';
import { useSaveSettings } from '../queries.js';
import { useKnownLabels } from '../settings/known-labels.js';
import { showShapes } from './shape-look.js';
import { faultsOf, settingsOf } from './shapes.js';
import { useConfirmLeaving } from './use-confirm-leaving.js';
import { useZoneEditor } from './use-zone-editor.js';
import { ZoneList } from './zone-list.js';
import { ZoneStage } from './zone-stage.js';
import { ZoneToolbar } from './zone-toolbar.js';

/** Longer side of the frame in pixels. */
const maxSide = 1600;

/** Zones and masks of a stream, drawn on its newest frame. */
export function ZonesTab({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const zones = useZoneEditor(stream);
  const frame = useStillFrame(stream);
  const labels = useKnownLabels(stream.settings.model_id);
  const save = useSaveSettings(stream.id);
  const { shapes, isChanged, editor, said } = zones;
  useConfirmLeaving(isChanged);
  const faults = faultsOf(shapes);
  const shown = showShapes(shapes, {
    zone: (number) => t('zones.zoneNumber', { number }),
    mask: (number) => t('zones.maskNumber', { number }),
  });
  const zoneCount = shapes.filter(({ kind }) => kind === 'zone').length;
  return (
    <Stack ref={zones.root}>
      <Text size="sm" c="dimmed">
        {t('zones.text')}
      </Text>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="xs">
            <ZoneToolbar
              zones={zones}
              mayChange={mayChange}
              isLoading={frame.isFetching}
              onNewFrame={() => frame.refetch()}
            />
            <ZoneStage
              zones={zones}
              shown={shown}
              faults={faults}
              name={stream.name}
              frame={frame.url}
              ratio={ratioOf(stream)}
              drawnColour={editor.drawing?.kind === 'mask' ? '#ced4da' : classColour(zoneCount)}
              mayChange={mayChange}
            />
            {!frame.url && !frame.isFetching && (
              <Text size="sm" c="dimmed">
                {t(mayChange ? 'zones.noFrame' : 'zones.noFrameNow')}
              </Text>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <ZoneList zones={zones} shown={shown} faults={faults} labels={labels} mayChange={mayChange} />
        </Grid.Col>
      </Grid>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <FormError error={save.error} />
      {mayChange && (
        <Group>
          <Button
            disabled={!isChanged || faults.size > 0}
            loading={save.isPending}
            onClick={() => save.mutate(settingsOf(shapes), { onSuccess: zones.settle })}
          >
            {t('zones.save')}
          </Button>
          <Button variant="default" disabled={!isChanged} onClick={zones.discard}>
            {t('zones.discard')}
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              {t('zones.unsaved')}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

/** The newest frame, until another one is asked for. */
function useStillFrame(stream: Stream) {
  const client = useClient();
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['stream-frames', stream.id, 'still'],
    queryFn: ({ signal }) => client.streamViews.readFrame(stream.id, { maxSide, signal }),
    enabled: hasFrames(stream),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  });
  return { url: useObjectUrl(data), isFetching, refetch };
}
