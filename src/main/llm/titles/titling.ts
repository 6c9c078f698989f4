import { AppError } from '../../../shared/model/basics/errors'
import { longestOwnTitle, titleLine } from '../../../shared/model/basics/title'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { scrubber } from '../../settings/base/scrub'
import type { RunSettings } from '../../settings/config/run-settings'
import { type Endpoint, endpointKeys, type RunOptions } from '../../settings/endpoint/endpoint'
import type { CompactScope } from '../../store/context-window'
import type { GivenTitle, TitleStore } from '../../store/given-titles'
import { readPromptText } from '../../store/prompt-texts'
import { wireParameters } from '../chat/parameters'
import type { ProviderStream } from '../chat/provider'
import type { ModelCaller } from '../compaction/ask-model'
import { openRunFiles } from '../steps/run-files'
import type { Clock } from '../timing/clock'
import { askForTitle, sentText } from './ask-title'
import { type Excerpt, type ExcerptSource, readExcerpt } from './excerpt'
import { defaultTitlePrompt } from './title-prompt'

/** Everything that titles need of a home. */
export interface TitlingDeps {
  readonly disk: CompactScope['disk']
  /** The chibi home: its own prompt for titles is there. */
  readonly home: string
  /** The titles so far. */
  readonly titles: Pick<TitleStore, 'look' | 'of' | 'give'>
  readonly transcripts: () => ExcerptSource
  /**
   * The first entry of a branch of another system that its parent has not; undefined where it is none, or nobody
   * knows.
   */
  readonly ownPart: (key: LibraryKey) => Promise<EntryId | undefined>
  /** Resolves to the endpoint of a context, else of the home. */
  readonly endpoint: (context: string | undefined, run: RunOptions) => Promise<Endpoint>
  readonly runSettings: (context: string | undefined, run: RunOptions) => Promise<RunSettings>
  /** The model that was chosen for titles; the conversation's own where none was. */
  readonly model: () => Promise<string | undefined>
  readonly provider: (endpoint: Endpoint) => ProviderStream
  readonly clock: Clock
  /** Resolves to true where the requests of a context are logged. */
  readonly logsRequests?: ((context: string) => Promise<boolean>) | undefined
  readonly note: (words: string) => void
}

/** The outcome of asking for a title; see shared/ipc/titles. */
export type Titled =
  | { readonly outcome: 'titled'; readonly title: string }
  | { readonly outcome: 'kept' | 'nothing' | 'stopped' }
  | { readonly outcome: 'failed'; readonly words: string }

/** Titles of conversations: those that a person gives, and those of a model. */
export interface Titling {
  /** A person's title; null takes it away. @throws AppError `bad-argument`, `read-only`, `disk-full`, `io` */
  set(key: LibraryKey, title: string | null): Promise<void>
  /**
   * Resolves to what a model would be sent, and where. @throws AppError `not-found`, `unreadable`, `no-model`,
   * `no-key`
   */
  preview(key: LibraryKey): Promise<{
    readonly model: string
    readonly host: string
    readonly characters: number
    readonly isBranch: boolean
  }>
  /**
   * Asks a model for a title; a decision that anybody made meanwhile is kept.
   *
   * @param isAsked a person asked for it: then it replaces one that a model gave before, or that was removed.
   *   Otherwise nothing is done where anything was decided, and a failure is recorded, so that it is tried once
   * @throws AppError `exists` (a person gave the title), `not-found`, `unreadable`, `no-model`, `no-key`, `read-only`,
   *   `disk-full`, `io`
   */
  ask(key: LibraryKey, isAsked: boolean, signal: AbortSignal): Promise<Titled>
}

/** Returns the titling of a home. */
export function openTitling(deps: TitlingDeps): Titling {
  const { titles, clock } = deps

  async function excerptOf(key: LibraryKey, signal: AbortSignal): Promise<Excerpt> {
    const own = isContext(key) ? undefined : await deps.ownPart(key).catch(() => undefined)
    return readExcerpt(deps.transcripts(), key, own, signal)
  }

  async function endpointOf(key: LibraryKey) {
    const context = isContext(key) ? (key as string) : undefined
    const model = (await deps.model())?.trim()
    const run: RunOptions = model ? { model } : {}
    const endpoint = await deps.endpoint(context, run)
    if (endpoint.notReady !== undefined)
      throw new AppError(endpoint.notReady.code, endpoint.notReady.message)
    return { context, run, endpoint, scrub: scrubber(...endpointKeys(endpoint)) }
  }

  type Chosen = Awaited<ReturnType<typeof endpointOf>>

  async function callerOf({ context, run, endpoint, scrub }: Chosen): Promise<ModelCaller> {
    const { disk, home, note } = deps
    const settings = await deps.runSettings(context, run)
    const logs = context !== undefined && ((await deps.logsRequests?.(context)) ?? false)
    return {
      provider: deps.provider(endpoint),
      clock,
      model: endpoint.model.value,
      parameters: wireParameters(settings, endpoint.baseUrl.value),
      protocol: endpoint.protocol,
      logRequest: logs
        ? openRunFiles({ disk, home, context, now: clock.now, note }).requestLog(scrub)
        : undefined,
    }
  }

  return {
    async set(key, text) {
      const title = text === null ? null : titleLine(text, longestOwnTitle)
      if (title === '') throw new AppError('bad-argument', 'A title cannot be empty.')
      await titles.give(key, { title, by: 'person', at: clock.now() / 1000 })
    },

    async preview(key) {
      const chosen = await endpointOf(key)
      const excerpt = await excerptOf(key, new AbortController().signal)
      const { model, baseUrl } = chosen.endpoint
      return {
        model: model.value,
        host: hostOf(baseUrl.value),
        characters: sentText(excerpt, chosen.scrub).length,
        isBranch: excerpt.isBranch,
      }
    },

    async ask(key, isAsked, signal) {
      await titles.look()
      const before = titles.of(key)
      if (before !== undefined && !isAsked) return { outcome: 'kept' }
      if (before?.by === 'person' && before.title !== null)
        throw new AppError('exists', 'A person wrote this title; no model replaces it.')
      /** Returns true unless anybody decided meanwhile. */
      const isAsBefore = (now: GivenTitle | undefined) => isSame(now, before)

      const chosen = await endpointOf(key)
      const excerpt = await excerptOf(key, signal)
      if (excerpt.beginning.length === 0) return { outcome: 'nothing' }
      const prompt = (await readPromptText(deps.disk, deps.home, 'title.md')) ?? defaultTitlePrompt
      const caller = await callerOf(chosen)
      const answer = await askForTitle(excerpt, { caller, prompt, scrub: chosen.scrub }, signal)
      if (answer.type === 'stopped') return { outcome: 'stopped' }
      const given = {
        by: 'model',
        model: chosen.endpoint.model.value,
        at: clock.now() / 1000,
      } as const
      if (answer.type === 'failed') {
        const why = answer.words
        if (!isAsked) await titles.give(key, { ...given, title: null, why }, isAsBefore)
        return { outcome: 'failed', words: why }
      }
      const { title, model } = answer
      const isGiven = await titles.give(key, { ...given, title, model }, isAsBefore)
      return isGiven ? { outcome: 'titled', title } : { outcome: 'kept' }
    },
  }
}

function isContext(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}

function isSame(a: GivenTitle | undefined, b: GivenTitle | undefined): boolean {
  return a?.title === b?.title && a?.by === b?.by && a?.at === b?.at
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host
  } catch {
    return baseUrl
  }
}
