import { useEffect } from 'react'
import type { Entry } from '../../../shared/model/conversation/entry'
import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'
import {
  type AnswerUsage,
  entryModel,
  entryUsage,
  estimateCost,
} from '../../../shared/model/run/usage'
import { formatDollars } from '../../models/model-labels'
import { useModels, useStores, useTranscript } from '../../state/context'
import { Tooltip } from '../../ui/controls/Tooltip'
import { formatCount } from '../../ui/format/format'
import { isOwnContext, useTurnActions } from './use-turn-actions'

/**
 * Cost of an answer: tokens as the provider counted them, and money as it reported it, else estimated from the price
 * list. It is in the turn's head, whose height is fixed, so that a late cost moves nothing.
 */
export function TurnCost(props: { readonly itemKey: string }) {
  const { models } = useStores()
  const acts = useTurnActions()
  const isOfOurs = useTranscript(({ key }) => key !== undefined && isOwnContext(key))
  const entry = useTranscript(({ run, shownAs }) => entryAt(run.rows, shownAs, props.itemKey))
  const usage = entry === undefined ? undefined : entryUsage(entry)
  const model = entry === undefined ? undefined : entryModel(entry)
  const isWanted = usage !== undefined && usage.cost === undefined && model !== undefined
  const priced = useModels(({ prices }) => (isWanted ? prices.get(model) : undefined))
  useEffect(() => {
    if (isWanted && priced === undefined) models.getState().wantPrice(model)
  }, [models, isWanted, model, priced])

  if (usage === undefined) return null
  const { input, output, cost } = usage
  const tokens = usage.total ?? (input ?? 0) + (output ?? 0)
  const estimate = priced == null ? undefined : estimateCost(usage, priced.price)
  if (tokens === 0 && cost === undefined) return null
  const words = (
    <>
      {tokens > 0 && <span>{formatCount(tokens)} tokens</span>}{' '}
      {cost !== undefined && <span>{formatDollars(cost)}</span>}{' '}
      {estimate !== undefined && <span>about {formatDollars(estimate)}, estimated</span>}
    </>
  )
  return (
    <Tooltip text={breakdown(usage, estimate === undefined ? undefined : priced?.baseUrl)}>
      {isOfOurs && entry !== undefined ? (
        <button type="button" className="turn-cost number" onClick={() => acts.showSent(entry.id)}>
          <span className="unseen">Sent to the model: </span>
          {words}
        </button>
      ) : (
        <span className="turn-cost number">{words}</span>
      )}
    </Tooltip>
  )
}

/** Lists the parts of the sum, a line each. */
function breakdown(usage: AnswerUsage, estimatedBy: string | undefined): string {
  const { input, output, cached, reasoning } = usage
  const lines = [
    ...(input === undefined
      ? []
      : [
          `${formatCount(input)} in${cached ? `, ${formatCount(cached)} of them from the cache` : ''}`,
        ]),
    ...(output === undefined
      ? []
      : [
          `${formatCount(output)} out${reasoning ? `, ${formatCount(reasoning)} of them reasoning` : ''}`,
        ]),
    ...(estimatedBy === undefined
      ? []
      : [`Estimated from the price list of ${estimatedBy}: the provider reported no cost`]),
  ]
  return lines.length === 0 ? 'As counted by the provider' : lines.join('\n')
}

/** Entries with usage by row key; made once for each list of rows, which never changes. */
const byKey = new WeakMap<readonly TranscriptRow[], ReadonlyMap<string, Entry>>()

function entryAt(
  rows: readonly TranscriptRow[],
  shownAs: ReadonlyMap<string, string>,
  itemKey: string,
): Entry | undefined {
  let entries = byKey.get(rows)
  if (entries === undefined) {
    const withUsage = rows.flatMap((row) =>
      row.type === 'entry' && row.entry.metadata?.usage !== undefined
        ? [[rowKey(row), row.entry] as const]
        : [],
    )
    entries = new Map(withUsage)
    byKey.set(rows, entries)
  }
  const found = entries.get(itemKey)
  if (found !== undefined || shownAs.size === 0) return found
  for (const [key, shown] of shownAs) if (shown === itemKey) return entries.get(key)
  return undefined
}
