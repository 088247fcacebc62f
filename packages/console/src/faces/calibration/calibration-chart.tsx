import '@mantine/charts/styles.css';
import type { CalibrationReport } from '@lynceus/client';
import { CompositeChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import { toChartRows } from './chart-rows.js';

/** Both distributions of cosines, and the curves that make similarities of them. */
export function CalibrationChart({ report }: { report: CalibrationReport }) {
  const { t, i18n } = useTranslation();
  const { proposal } = report;
  const rows = toChartRows(report);
  const series = [
    ...(proposal
      ? ([
          { name: 'impostor', type: 'area', color: 'orange.6', label: t('calibration.impostor') },
          { name: 'genuine', type: 'area', color: 'teal.6', label: t('calibration.genuine') },
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
    ? [
        { x: nearest(rows, proposal.decision.now.cosine), color: 'blue.6', label: t('calibration.pointNow') },
        {
          x: nearest(rows, proposal.decision.proposed.cosine),
          color: 'grape.6',
          label: t('calibration.pointProposed'),
        },
      ]
    : [{ x: nearest(rows, report.calibration.midpoint), color: 'blue.6', label: t('calibration.half') }];
  const percent = (value: number) =>
    (value / 100).toLocaleString(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
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
          valueFormatter={percent}
          tickLine="x"
          referenceLines={points}
          yAxisProps={proposal ? {} : { domain: [0, 100] }}
          rightYAxisProps={{ domain: [0, 100] }}
          xAxisProps={{
            tickFormatter: (cosine: number) =>
              cosine.toLocaleString(i18n.language, { maximumFractionDigits: 2 }),
            minTickGap: 40,
          }}
        />
      </div>
    </figure>
  );
}

/** Lines stand at one of the places that there are. */
function nearest(rows: readonly { readonly cosine: number }[], wanted: number): number {
  return rows.reduce(
    (best, { cosine }) => (Math.abs(cosine - wanted) < Math.abs(best - wanted) ? cosine : best),
    rows[0]?.cosine ?? 0,
  );
}
