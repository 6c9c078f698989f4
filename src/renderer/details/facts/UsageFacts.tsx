import { useEffect } from 'react'
import type {
  ConversationDetails,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { UsageSum } from '../../../shared/model/run/usage'
import { formatDollars, formatShortCount } from '../../models/model-labels'
import { useModels, useStores } from '../../state/context'
import { formatQuantity } from '../../ui/format/format'

/** Facts of what the answers of a conversation cost together. */
export function UsageFacts(props: {
  readonly contextKey: LibraryKey
  /** The cost is added up again whenever these change. */
  readonly details: ConversationDetails
}) {
  const { contextKey, details } = props
  const { models } = useStores()
  const sum = useModels(({ usage }) => (usage?.key === contextKey ? usage.sum : undefined))
  // biome-ignore lint/correctness/useExhaustiveDependencies: other details are those of other files
  useEffect(() => void models.getState().loadUsage(contextKey), [models, contextKey, details])

  if (sum === undefined || sum.own.answers + sum.inherited.answers === 0) return null
  const { own, inherited } = sum
  return (
    <>
      <dt>Tokens</dt>
      <dd>
        <span>{tokenWords(own)}</span>
      </dd>
      <dt>Cost</dt>
      <dd>
        <span>{costWords(own)}</span>
      </dd>
      {inherited.told + inherited.priced > 0 && (
        <>
          <dt>Inherited</dt>
          <dd>
            <span>
              {tokenWords(inherited)}. Cost: {costWords(inherited)}
            </span>
          </dd>
        </>
      )}
    </>
  )
}

function tokenWords(sum: UsageSum): string {
  const { answers, told, input, output, cached, reasoning } = sum
  if (answers === 0) return 'None yet'
  if (told === 0) return 'Unknown'
  const parts = [
    `${formatShortCount(input)} in${cached > 0 ? ` (${formatShortCount(cached)} from the cache)` : ''}`,
    `${formatShortCount(output)} out${reasoning > 0 ? ` (${formatShortCount(reasoning)} reasoning)` : ''}`,
  ]
  const unreported = answers - told
  const gap = unreported === 0 ? '' : `; ${formatQuantity(unreported, 'answer')} without a count`
  return `${parts.join(', ')}${gap}`
}

function costWords({ answers, priced, cost, estimated, estimate }: UsageSum): string {
  if (answers === 0) return 'None'
  if (priced + estimated === 0) return 'Unknown'
  const parts = [
    ...(priced > 0 ? [formatDollars(cost)] : []),
    ...(estimated > 0 ? [`about ${formatDollars(estimate)} estimated from the price list`] : []),
  ]
  const unpriced = answers - priced - estimated
  const gap = unpriced === 0 ? '' : `; ${formatQuantity(unpriced, 'answer')} without a price`
  return `${parts.join(' and ')}${gap}`
}
