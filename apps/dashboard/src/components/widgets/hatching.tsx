import { useId } from 'react';

export type HatchedSeries = { readonly name: string; readonly color: string; readonly hatched?: boolean | undefined };

/** What fills the bars of a chart: series that are told apart by more than their colour are hatched. */
export function useHatching(series: readonly HatchedSeries[]) {
  const id = useId();
  const place = (name: string) => `${id}-${name}`;
  return {
    /** Stands within the chart. */
    patterns: (
      <defs>
        {series
          .filter(({ hatched }) => hatched)
          .map(({ name, color }) => (
            <pattern
              key={name}
              id={place(name)}
              width={6}
              height={6}
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width={6} height={6} fill={color} />
              <rect width={1.5} height={6} fill="var(--air-panel)" />
            </pattern>
          ))}
      </defs>
    ),
    fillOf: (name: string) => {
      const of = series.find((each) => each.name === name);
      return of?.hatched ? `url(#${place(name)})` : of?.color;
    },
  };
}
