import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../kit/use-format.js';

/** One bar a day, also for days without calls. */
export function CallsByDay({
  days,
  sums,
}: {
  days: readonly string[];
  sums: readonly { readonly day?: string; readonly calls: number }[];
}) {
  const { t, i18n } = useTranslation();
  const { number } = useFormat();
  const calls = new Map(sums.map(({ day, calls }) => [day, calls]));
  const short = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return (
    <BarChart
      h={260}
      mt="md"
      role="img"
      aria-label={t('usage.byDay')}
      data={days.map((day) => ({ day: short.format(new Date(day)), calls: calls.get(day) ?? 0 }))}
      dataKey="day"
      series={[{ name: 'calls', label: t('usage.calls'), color: 'lynx.6' }]}
      valueFormatter={(value) => number(value)}
      yAxisProps={{ allowDecimals: false, width: 56 }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
