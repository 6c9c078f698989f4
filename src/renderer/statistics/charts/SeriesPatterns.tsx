import { useId } from 'react'

/** Patterns of series besides their colours, so that they can be told apart without them; the first is plain. */
const lines = [undefined, 'M0 6 6 0', 'M0 0 6 6', 'M0 3h6', 'M3 0v6', 'M0 6 6 0M0 0 6 6'] as const
const restColour = 'var(--lane-off)'

/** Definitions of the series' fills for one picture. */
export function SeriesPatterns(props: { readonly id: string }) {
  return (
    <defs>
      {lines.map((line, at) => (
        <pattern
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          key={at}
          id={`${props.id}-${at}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
        >
          <rect width={6} height={6} fill={`var(--lane-${at + 1})`} />
          {line !== undefined && (
            <path
              d={line}
              stroke="var(--bg-page)"
              strokeWidth={1}
              strokeOpacity={0.7}
              fill="none"
            />
          )}
        </pattern>
      ))}
    </defs>
  )
}

/** Returns the fill of a series; grey for the rest, which has no name. */
export function seriesFill(id: string, at: number, name: string | null | undefined): string {
  return name === undefined ? restColour : `url(#${id}-${at})`
}

/** Swatch of a series, for legends. */
export function SeriesSwatch(props: {
  readonly at: number
  readonly name: string | null | undefined
}) {
  const id = useId()
  return (
    <svg className="swatch" width={12} height={12} aria-hidden="true">
      <SeriesPatterns id={id} />
      <rect width={12} height={12} rx={2} fill={seriesFill(id, props.at, props.name)} />
    </svg>
  )
}
