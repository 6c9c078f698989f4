import type { Entry } from '../../../shared/model/conversation/entry'
import type { RunSettings } from '../../settings/config/run-settings'
import type { Endpoint } from '../../settings/endpoint/endpoint'
import type { Usage } from '../chat/provider'
import { askModel } from './ask-model'
import { branchSummaryPrompt, summaryRequest } from './compaction-prompts'
import { type CallerDeps, callerOf, type ManualDeps } from './manual'
import { bytesToSend, limitSummary } from './plan-compaction'
import { countMessages, unitsOf } from './units'

/** The entries of a branch that is left, and what its summary is for. */
export interface LeftBranch {
  /** The context whose model and settings hold; those of the home where another system's conversation is left. */
  readonly context: string | undefined
  readonly entries: AsyncIterable<Entry> | Iterable<Entry>
  /** A person's wish for it, in their words; all that matters where absent. */
  readonly words?: string | undefined
}

/** Outcome of the question for a summary; `failed` gives the reason in a sentence. */
export type BranchSummary =
  | {
      readonly type: 'written'
      readonly text: string
      readonly model: string
      readonly usage: Usage | undefined
      readonly messages: number
    }
  /** Nothing in it is for a model. */
  | { readonly type: 'nothing' }
  | { readonly type: 'failed'; readonly words: string }
  | { readonly type: 'stopped' }

/** The part of a home by which branches are summarized. */
interface SummaryDeps extends CallerDeps, Pick<ManualDeps, 'contextLength'> {
  readonly endpoint: (context: string | undefined) => Promise<Endpoint>
  readonly runSettings: (context: string | undefined) => Promise<RunSettings>
}

/** Entries of a branch that are looked at: from its beginning, and from its end. */
const mostEntries = { first: 500, last: 3_500 } as const
/** Characters of one entry that are held: the request has room for less. */
const mostCharacters = 40_000

/**
 * Has a model summarize a branch that is left: the context's, or the home's. Writes nothing but the request, where a context's
 * requests are logged.
 *
 * @throws AppError `unreadable` an entry of it cannot be read
 */
export async function summarizeBranch(
  { context, entries, words }: LeftBranch,
  deps: SummaryDeps,
  signal: AbortSignal,
): Promise<BranchSummary> {
  const endpoint = await deps.endpoint(context)
  if (endpoint.notReady !== undefined) return { type: 'failed', words: endpoint.notReady.message }
  const held = await heldEntries(entries, signal)
  if (signal.aborted) return { type: 'stopped' }
  const units = unitsOf(held)
  const messages = countMessages(units)
  if (messages === 0) return { type: 'nothing' }
  const settings = await deps.runSettings(context)
  const limit = settings.contextWindowLimit || (await deps.contextLength?.(endpoint)) || 0
  if (signal.aborted) return { type: 'stopped' }
  const answer = await askModel(
    branchSummaryPrompt(words),
    summaryRequest(units, undefined, bytesToSend({ limit })),
    await callerOf(endpoint, settings, context, deps),
    signal,
  )
  if (answer.type !== 'answered') return answer
  const { model, usage, isCut } = answer
  const text = limitSummary(isCut ? `${answer.text}…` : answer.text, { limit })
  return { type: 'written', text, model, usage, messages }
}

/** Reads the entries, cut to what a request could have; those in the middle of very many are left out. */
async function heldEntries(
  entries: LeftBranch['entries'],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const first: Entry[] = []
  const last: Entry[] = []
  for await (const entry of entries) {
    if (signal.aborted) return []
    // Copied: a slice would keep the whole text in memory. Half of a pair at its end becomes U+FFFD.
    const content =
      entry.content.length > mostCharacters
        ? `${Buffer.from(entry.content.slice(0, mostCharacters)).toString()}…`
        : entry.content
    const held = { ...entry, content }
    if (first.length < mostEntries.first) first.push(held)
    else last.push(held)
    if (last.length > 2 * mostEntries.last) last.splice(0, last.length - mostEntries.last)
  }
  return [...first, ...last.slice(-mostEntries.last)]
}
