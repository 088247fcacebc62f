import '@mantine/charts/styles.css';
import type { CalibrationReport } from '@lynceus/client';
import { CompositeChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { toChart } from './chart-rows.js';

/** Both distributions of cosines, and the curves that map them to similarities. */
export function CalibrationChart({ report }: { report: CalibrationReport }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const { proposal } = report;
  // The names are on opposite sides, since the points may be close together.
  const toPoints = (now: number, proposed: number) => [
    {
      x: now,
      color: 'blue.6',
      label: t('calibration.pointNow'),
      labelPosition: now < proposed ? ('insideTopRight' as const) : ('insideTopLeft' as const),
    },
    {
      x: proposed,
      color: 'grape.6',
      label: t('calibration.pointProposed'),
      labelPosition: now < proposed ? ('insideTopLeft' as const) : ('insideTopRight' as const),
    },
  ];
  const { rows, from, to } = toChart(report);
  const series = [
    ...(proposal
      ? ([
          { name: 'impostor', type: 'area', color: 'orange.6', label: t('calibration.impostor') },
          { name: 'genuine', type: 'area', color: 'lynx.6', label: t('calibration.genuine') },
        ] as const)
      : []),
    {
      name: 'now',
      type: 'line',
      color: 'blue.6',
      label: t('calibration.now'),
      ...(proposal ? { yAxisId: 'right' } : {}),
    } as const,
    ...(proposal
      ? ([
          {
            name: 'proposed',
            type: 'line',
            color: 'grape.6',
            label: t('calibration.proposed'),
            yAxisId: 'right',
            strokeDasharray: '6 4',
          },
        ] as const)
      : []),
  ];
  const points = proposal
    ? toPoints(proposal.decision.now.cosine, proposal.decision.proposed.cosine)
    : [{ x: report.calibration.midpoint, color: 'blue.6', label: t('calibration.half') }];
  return (
    <figure style={{ margin: 0 }}>
      <div role="img" aria-label={t('calibration.chart')}>
        <CompositeChart
          h={340}
          data={rows.map((row) => ({ ...row }))}
          dataKey="cosine"
          series={[...series]}
          curveType="monotone"
          withDots={false}
          withLegend
          withRightYAxis={proposal !== null}
          yAxisLabel={t(proposal ? 'calibration.share' : 'calibration.similarity')}
          {...(proposal ? { rightYAxisLabel: t('calibration.similarity') } : {})}
          xAxisLabel={t('calibration.cosine')}
          valueFormatter={(value) => percent(value / 100)}
          tickLine="x"
          referenceLines={points}
          yAxisProps={proposal ? {} : { domain: [0, 100] }}
          rightYAxisProps={{ domain: [0, 100] }}
          xAxisProps={{
            type: 'number',
            domain: [from, to],
            tickCount: 7,
            tickFormatter: (cosine: number) => number(cosine, 2),
            minTickGap: 40,
          }}
        />
      </div>
    </figure>
  );
}
