import { useEffect } from 'react'
import type { Entry } from '../../shared/model/entry'
import { rowKey, type TranscriptRow } from '../../shared/model/transcript'
import { estimateOf, modelOf, usageOf } from '../../shared/model/usage'
import { dollars } from '../models/words'
import { useStores, useTranscript } from '../state/context'
import { useModels } from '../state/use-models'
import { count } from '../ui/format'
import { Tooltip } from '../ui/Tooltip'

/** What an answer cost: tokens as its provider counted them, and money as it told it, else by the list's price. */
export function TurnCost(props: { readonly itemKey: string }) {
  const { models } = useStores()
  const entry = useTranscript(({ run, shownAs }) => entryAt(run.rows, shownAs, props.itemKey))
  const usage = entry === undefined ? undefined : usageOf(entry)
  const model = entry === undefined ? undefined : modelOf(entry)
  const isWanted = usage !== undefined && usage.cost === undefined && model !== undefined
  const priced = useModels(({ prices }) => (isWanted ? prices.get(model) : undefined))
  useEffect(() => {
    if (isWanted && priced === undefined) models.getState().wantPrice(model)
  }, [models, isWanted, model, priced])

  if (usage === undefined) return null
  const { input, output, total, cached, reasoning, cost } = usage
  if ([input, output, total, cost].every((number) => number === undefined)) return null
  const estimate = priced == null ? undefined : estimateOf(usage, priced.price)
  return (
    <p className="turn-cost t3 micro number">
      {input !== undefined && (
        <span>
          {count(input)} in{cached ? `, ${count(cached)} of them from the cache` : ''}
        </span>
      )}
      {output !== undefined && (
        <span>
          {count(output)} out{reasoning ? `, ${count(reasoning)} of them reasoning` : ''}
        </span>
      )}
      {total !== undefined && <span>{count(total)} tokens</span>}
      {cost !== undefined && <span>{dollars(cost)}</span>}
      {estimate !== undefined && priced != null && (
        <Tooltip
          text={`The provider told no cost: its tokens times the price on the list of ${priced.baseUrl}`}
        >
          <span>about {dollars(estimate)}, estimated</span>
        </Tooltip>
      )}
    </p>
  )
}

/** Rows by the key under which their items stand; made once for each list of rows, which is never changed. */
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
