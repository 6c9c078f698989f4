import { type Heat, heatSteps } from '../../../shared/model/map/heat'
import { Button } from '../../ui/controls/Button'
import { extremeNames, heatNames, heatRange } from './heat-labels'

/** Legend of the heat: its colours, its range in words, and a button for each extreme, which goes there. */
export function HeatLegend(props: {
  readonly heat: Heat
  readonly onGo: (segment: number) => void
}) {
  const { heat, onGo } = props
  const { least, most, kind } = heat
  const [fewest, largest] = extremeNames[kind]
  return (
    <section className="map-legend" aria-label={`${heatNames[kind]} on the map`}>
      <span className="map-legend-steps" aria-hidden="true">
        {Array.from({ length: heatSteps }, (_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
          <span key={step} data-step={step + 1} />
        ))}
      </span>
      <span className="small number">{heatRange(heat, Date.now())}</span>
      {least !== undefined && most !== undefined && least !== most && (
        <>
          <Button isSmall kind="ghost" onClick={() => onGo(least)}>
            {fewest}
          </Button>
          <Button isSmall kind="ghost" onClick={() => onGo(most)}>
            {largest}
          </Button>
        </>
      )}
    </section>
  )
}
