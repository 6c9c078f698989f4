import type { ReactNode } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { FactSums } from '../../shared/model/map/fact-sums'
import { formatDollars, formatShortCount } from '../models/model-labels'
import { formatCount, formatQuantity, formatTimeRange } from '../ui/format/format'
import type { MapScene } from './drawing/scene'

/** Returns how many entries a node has, how many of them are shown, and what it is. */
export function entriesText(scene: MapScene, segment: number, all: number): string {
  const shown = scene.segments[segment]
  const isLeaf = (scene.layout.next[segment] ?? -1) < 0
  const shownOf =
    shown === undefined || shown.kind === 'fold' || shown.entries === all
      ? ''
      : `${formatCount(shown.entries)} of `
  const kind =
    shown?.kind === 'subagent' ? ', sub-agent' : isLeaf && shown?.kind === 'run' ? ', leaf' : ''
  return `${shownOf}${formatCount(all)}${kind}`
}

/** Facts of a node, summed over its entries. */
export function CardFacts({ facts, kind }: { readonly facts: FactSums; readonly kind: string }) {
  const { firstMs, lastMs } = facts
  return (
    <dl className="map-card-facts">
      <Fact name="Entries">{kind}</Fact>
      {firstMs !== undefined && lastMs !== undefined && (
        <Fact name="Time">{formatTimeRange(firstMs, lastMs)}</Fact>
      )}
      {facts.models.length > 0 && <Fact name="Models">{visibleText(facts.models.join(', '))}</Fact>}
      {facts.tokens > 0 && (
        <Fact name="Tokens">
          {formatShortCount(facts.input)} in, {formatShortCount(facts.output)} out
        </Fact>
      )}
      {facts.cost !== undefined && <Fact name="Cost">{formatDollars(facts.cost)}</Fact>}
      {facts.calls > 0 && (
        <Fact name="Tools">
          {facts.tools
            .slice(0, 3)
            .map(([name, calls]) => `${visibleText(name)} ${formatCount(calls)}`)
            .join(', ')}
          {facts.tools.length > 3 && `, ${formatQuantity(facts.tools.length - 3, 'more', 'more')}`}
        </Fact>
      )}
      {facts.failures > 0 && (
        <Fact name="Failed">
          <span className="err-t">{formatQuantity(facts.failures, 'tool call')}</span>
        </Fact>
      )}
      {facts.compactions > 0 && (
        <Fact name="Compacted">{formatQuantity(facts.compactions, 'time')}</Fact>
      )}
    </dl>
  )
}

function Fact(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  )
}
