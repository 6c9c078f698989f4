import type { AppStatus } from '../../../src/shared/ipc/app/app'
import type { BackgroundNotice } from '../../../src/shared/ipc/app/background'
import { type ConsentAsked, ConsentId } from '../../../src/shared/ipc/runs/completion'
import { AppError } from '../../../src/shared/model/basics/errors'
import { firstWords } from '../../../src/shared/model/basics/first-words'
import { generateName } from '../../../src/shared/model/basics/title'
import {
  type ConversationDetails,
  type ConversationSummary,
  LibraryKey,
  type LockState,
  parseLibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import { type EntryId, isAnchor } from '../../../src/shared/model/conversation/entry'
import {
  Cursor,
  type TranscriptPage,
  type TranscriptRow,
} from '../../../src/shared/model/conversation/transcript'
import type { LinkedPlace } from '../../../src/shared/model/conversation-link'
import type { BranchAction } from '../../../src/shared/model/family/branching'
import type { ListingState } from '../../../src/shared/model/listing-state'
import { type RunFailure, RunId } from '../../../src/shared/model/run/run'
import type { PluginsView } from '../../../src/shared/model/settings/plugins'
import type { LocalServer, VisibleSettings } from '../../../src/shared/model/settings/settings'
import type { SourcesView } from '../../../src/shared/model/settings/source-roots'
import type { UpdateAnswer } from '../../../src/shared/model/updates'
import { type AllHandlers, createMemoryApi, type MemoryApi } from '../../support/memory-api'
import { distinctionsIn, familyKeys, familyViewOf, mapOf, namesOnMap } from './family'
import { framedMessage } from './framed-message'
import { memoryComparisons } from './memory-comparisons'
import { createMemoryConfig } from './memory-config'
import { createMemoryContexts, type MemoryContexts } from './memory-contexts'
import { memoryFinding } from './memory-finding'
import { createMemoryHomeTexts, type MemoryHomeTexts } from './memory-home-texts'
import { createMemoryLabels } from './memory-labels'
import { memoryLandmarks } from './memory-landmarks'
import { createMemoryLost, type LostOptions, type MemoryLost } from './memory-lost'
import { memoryMentions } from './memory-mentions'
import { createMemoryModels, type MemoryModels } from './memory-models'
import { createMemoryPlugins, type MemoryPlugins } from './memory-plugins'
import { createMemorySearch, type MemorySearch } from './memory-search'
import { createMemorySent, type MemorySent } from './memory-sent'
import { createMemorySources, type MemorySources } from './memory-sources'
import { createMemoryStatistics } from './memory-statistics'
import { createMemoryTags } from './memory-tags'
import { createMemoryTitles, type MemoryTitles } from './memory-titles'
import { createMemoryUpkeep, type MemoryUpkeep } from './memory-upkeep'
import { createMemoryWindowSize, type MemoryWindowSize } from './memory-window-size'
import { type RowDraft, rowsOf } from './rows'

/** One context of a home in memory. */
export interface MemoryContext {
  readonly summary: ConversationSummary
  rows: TranscriptRow[]
  /** The file that the active one's lines are in since a rotation. */
  movedTo?: string
  readonly details?: Partial<ConversationDetails>
  /** Contexts of the same family are compared with one another. */
  readonly family?: string
  /** Thrown by every page. */
  readonly failure?: AppError
}

/** A home in memory: what a test puts into it, and what it may do to it while the window is open. */
export interface MemoryHome {
  readonly api: MemoryApi
  readonly contexts: Map<string, MemoryContext>
  readonly search: MemorySearch
  readonly sources: MemorySources
  readonly plugins: MemoryPlugins
  readonly texts: MemoryHomeTexts
  readonly lost: MemoryLost['controls']
  readonly wholes: Omit<MemoryContexts, 'handlers'>
  readonly upkeep: MemoryUpkeep
  /** Something fails with nobody waiting for it. */
  fails(words: string): void
  readonly models: MemoryModels
  readonly sent: MemorySent['controls']
  readonly titles: MemoryTitles['controls']
  readonly windowSize: MemoryWindowSize['controls']
  /** Appends rows to a context and tells them, as main does after they are durable. */
  append(key: string, drafts: readonly RowDraft[]): void
  delta(key: string, text: string, kind?: 'content' | 'reasoning'): void
  /** The streamed text becomes an entry, then the run ends. */
  finish(key: string, outcome?: 'complete' | 'stopped' | 'unfinished'): void
  fail(key: string, failure: RunFailure): void
  retrying(key: string, failure: RunFailure, waitMs: number): void
  /** A call in a context waits for a person's word; returns the name of the question. */
  askConsent(key: string, asked: ConsentDraft): string
  /** A question ends without a word of this window. */
  withdrawConsent(consentId: string): void
  /** What was decided, in order. */
  readonly decisions: readonly { readonly tool: string; readonly decision: string }[]
  lock(key: string, lock: LockState): void
  changeLibrary(change: {
    readonly conversations: ConversationSummary[]
    readonly gone: string[]
    readonly listing?: ListingState
  }): void
  /** The next answers of pages, branches, exports and changed keys wait until `release` is called. */
  hold(): void
  release(): void
  /** What the next start of a run throws, or the next branch, export, or word on a call. */
  refuse(error: AppError): void
  refusePreferences(error: AppError): void
  /** The next export is cancelled in the system's dialog. */
  cancelNextExport(): void
}

export interface MemoryHomeOptions {
  readonly status: AppStatus
  /** Answers whether there is a newer Skein; there is none where it is absent. */
  readonly updates?: () => UpdateAnswer
  /** Place of a link that waits to be taken. */
  readonly link?: LinkedPlace
  readonly settings: VisibleSettings
  readonly contexts: readonly MemoryContext[]
  readonly localServers?: readonly LocalServer[]
  readonly sources?: SourcesView
  readonly plugins?: PluginsView
  /** config.toml has a line that is no TOML. */
  readonly hasBrokenConfig?: boolean
  /** All is well without it. */
  readonly lost?: LostOptions
  readonly libraryFailure?: AppError
  /** Pages say that more conversations come as changes. */
  readonly listsInParts?: boolean
  /** What every search says of files that it could not read. */
  readonly searchNotices?: readonly string[]
  /** The library knows the families. */
  readonly joinsFamilies?: boolean
  /** Conversations that statistics never get to; none without it. */
  readonly uncounted?: number
  /** Families are never known to the end. */
  readonly isCounting?: boolean
  /** Calls of `library.list` and of pages never end. */
  readonly isStuck?: boolean
}

/** A question as a test puts it. */
export type ConsentDraft = Pick<ConsentAsked, 'tool' | 'title' | 'arguments'> & {
  readonly diff?: string
}

interface Run {
  readonly runId: RunId
  readonly key: LibraryKey
  seq: number
  content: string
  reasoning: string
}

const model = 'claude-sonnet-4.5'

/** The message with which a branch begins that summarizes what it leaves. */
function summaryOfLeft(key: LibraryKey): RowDraft {
  const summary = 'Sand was tried, and the bulbs **rotted**. Gravel was not tried.'
  return {
    role: 'user',
    content: summary,
    timestamp: Math.floor(Date.now() / 1000),
    metadata: { injected: true, branch_summary: { key, messages: 4, summary }, model },
  }
}

/** Makes a home in memory and its api. */
export function createMemoryHome(options: MemoryHomeOptions): MemoryHome {
  const contexts = new Map(
    options.contexts.map((context) => [context.summary.key as string, context]),
  )
  const runs = new Map<string, Run>()
  let { status, settings } = options
  let { link } = options
  const config = createMemoryConfig(options.hasBrokenConfig)
  const texts = createMemoryHomeTexts()
  const consents = new Map<string, ConsentAsked>()
  const decisions: { tool: string; decision: string }[] = []
  let consentCount = 0
  let runCount = 0
  let held: (() => void)[] | undefined
  let refusal: AppError | undefined
  let refusalOfPreferences: AppError | undefined
  let isExportCancelled = false
  let stopSummary: (() => void) | undefined

  function contextOf(key: string): MemoryContext {
    const context = contexts.get(key)
    if (context === undefined) throw new AppError('not-found', `There is no context "${key}".`)
    return context
  }

  async function gate(): Promise<void> {
    if (options.isStuck) await new Promise(() => undefined)
    const waiting = held
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve))
  }

  async function readGate(): Promise<void> {
    await gate()
    throwRefusal()
  }

  function throwRefusal(): void {
    const error = refusal
    refusal = undefined
    if (error !== undefined) throw error
  }

  /** Copies the rows up to an entry into a context of a new name, as main does. */
  function branchOff(key: LibraryKey, entry: EntryId, action: BranchAction, isSummarized = false) {
    const from = contextOf(key)
    const { source, key: name } = parseLibraryKey(key)
    const index = from.rows.findIndex((row) => row.type === 'entry' && row.entry.id === entry)
    if (index < 0) throw new AppError('not-found', `There is no entry "${entry}".`)
    const kept = from.rows.slice(0, action.type === 'branch' ? index + 1 : index)
    let number = 2
    while (contexts.has(`${name}-${number}`)) number++
    const made = LibraryKey.parse(`${name}-${number}`)
    const copied = kept.map((row) => inContext(row, made))
    const summary = summaryOf(made, { updated: new Date().toISOString() })
    contexts.set(made, { summary, rows: copied, family: from.family ?? name })
    if (from.family === undefined) contexts.set(key, { ...from, family: name })
    if (isSummarized) home.append(made, [summaryOfLeft(key)])
    if (action.type === 'edit') home.append(made, [{ role: 'user', content: action.text }])
    api.tell.library.changed({ conversations: [summary], gone: [] })
    api.tell.branches.changed({})
    const entries = copied.filter(({ type }) => type === 'entry').length
    return {
      key: made,
      ...(action.type === 'branch' ? {} : { runId: startRun(made).runId }),
      ...(source === 'chibi'
        ? {}
        : {
            report: {
              entries,
              kept: entries - 1,
              notes: ['1 tool call has no result; the model gets a note that none was kept.'],
            },
          }),
    }
  }

  function runOf(key: string): Run {
    const run = runs.get(key)
    if (run === undefined) throw new Error(`no run in ${key}`)
    return run
  }

  function appendMessage(
    key: LibraryKey,
    text: string,
    images: Parameters<typeof keptAs>[0][] | undefined,
    files: Parameters<typeof keptAs>[0][] = [],
  ): void {
    const { content, metadata } = framedMessage(text, files)
    home.append(key, [
      {
        role: 'user',
        content,
        timestamp: Math.floor(Date.now() / 1000),
        metadata: {
          ...metadata,
          ...(images === undefined ? {} : { images: images.map(keptAs) }),
        },
      },
    ])
  }

  function startRun(key: LibraryKey): Run {
    const run = { runId: RunId.parse(`run-${++runCount}`), key, seq: 0, content: '', reasoning: '' }
    runs.set(key, run)
    api.tell.completion.state({
      runId: run.runId,
      key,
      phase: 'sending',
      model,
      sentAtMs: Date.now(),
    })
    return run
  }

  function endConsent(consentId: string): ConsentAsked | undefined {
    const asked = consents.get(consentId)
    if (!consents.delete(consentId) || asked === undefined) return undefined
    api.tell.completion.consentEnded({ key: asked.key, consentId: asked.consentId })
    return asked
  }

  const search = createMemorySearch({
    contexts,
    tell: () => api.tell.search,
    page: (key, from, limit) => {
      const { rows, movedTo, failure } = contextOf(key)
      if (failure !== undefined) throw failure
      return pageOf(rows, from, limit, movedTo)
    },
    notices: options.searchNotices ?? [],
  })
  const lost = createMemoryLost(
    options.lost,
    (change) => api.tell.library.changed(change),
    () => contexts.size,
  )
  const sources = createMemorySources(options.sources, () => api.tell.sources)
  const plugins = createMemoryPlugins(options.plugins, () => api.tell.plugins)
  const models = createMemoryModels({
    settings: () => settings,
    change: (changed) => {
      settings = changed
    },
    rowsOf: (key) => contextOf(key).rows,
    tell: () => api.tell,
    throwRefusal,
  })
  const sent = createMemorySent({
    rowsOf: (key) => contextOf(key).rows,
    mayRefuse: throwRefusal,
  })
  const windowSize = createMemoryWindowSize()
  const titles = createMemoryTitles({
    contexts,
    tell: () => api.tell,
    mayRefuse: throwRefusal,
  })
  const upkeep = createMemoryUpkeep(throwRefusal)
  let failed: BackgroundNotice[] = []
  /** What stands beside a context; other systems' conversations have none of it. */
  const besideDetails = (key: string) => {
    if (key.includes(':')) return {}
    const contextSummary = upkeep.summaryOf(key)
    return {
      beside: upkeep.besideOf(key),
      ...(contextSummary === undefined ? {} : { contextSummary }),
    }
  }
  const wholes = createMemoryContexts({
    contexts,
    tell: () => api.tell,
    isRunning: (key) => runs.has(key),
    mayRefuse: throwRefusal,
  })
  const comparisons = memoryComparisons({
    entriesOf: (key) =>
      contextOf(key).rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : [])),
    titleOf: (key) => contextOf(key).summary.title,
    gate: readGate,
  })
  const handlers: Partial<AllHandlers> = {
    contexts: wholes.handlers,
    upkeep: upkeep.handlers,
    background: {
      list: async () => failed,
      async dismiss({ upTo }) {
        failed = failed.filter(({ id }) => id > upTo)
        return failed
      },
    },
    models: models.handlers,
    search: search.handlers,
    sources: sources.handlers,
    plugins: plugins.handlers,
    lost: lost.handlers,
    sent: sent.handlers,
    titles: titles.handlers,
    tags: createMemoryTags({ contexts, tell: () => api.tell, mayRefuse: throwRefusal }),
    labels: createMemoryLabels({ contexts, tell: () => api.tell, mayRefuse: throwRefusal }),
    windowSize: windowSize.handlers,
    app: {
      status: async () => status,
      openHome: async (choice) => {
        if (choice.type !== 'choose')
          status = {
            ...status,
            phase: 'ready',
            home: { ...status.home, sample: choice.type === 'sample' },
          }
        return status
      },
      parts: async () => ({
        electron: '25.1.1',
        chromium: '114.0.5735.106',
        node: '18.15.0',
        packages: [
          { name: 'katex', version: '0.19.1', license: 'MIT', words: 'Permission is granted.' },
          { name: 'without-text', version: '1.0.0', license: 'ISC', words: '' },
        ],
        updates: { type: 'named', host: 'feed.example', page: 'https://skein.example/packages' },
      }),
      checkForUpdates: async () => options.updates?.() ?? { type: 'current' },
      async takeLink() {
        const place = link
        link = undefined
        return place ?? null
      },
      quickKey: async () => (settings.preferences.quickKey === '' ? 'off' : 'on'),
      openLink: async () => undefined,
      revealFile: async () => undefined,
    },
    library: {
      list: async ({ cursor, limit }) => {
        await gate()
        if (options.libraryFailure !== undefined) throw options.libraryFailure
        const all = [...contexts.values()].map(({ summary }) => summary)
        const start = cursor === undefined ? 0 : Number(cursor)
        const end = start + limit
        return {
          conversations: all.slice(start, end),
          total: all.length,
          ...(end < all.length ? { next: String(end) } : {}),
          ...(options.listsInParts ? { listing: 'finding' as const } : {}),
        }
      },
    },
    transcript: {
      page: async ({ key, from, limit }) => {
        await gate()
        const context = contextOf(key)
        if (context.failure !== undefined) throw context.failure
        return pageOf(context.rows, from, limit, context.movedTo)
      },
      modelView: async () => null,
      windowStart: async ({ key }) => {
        const { rows } = contextOf(key)
        const at = rows.findLastIndex((row) => row.type === 'entry' && isAnchor(row.entry))
        const row = rows[at]
        if (row?.type !== 'entry') return null
        const kept = Array.isArray(row.entry.metadata?.kept) ? row.entry.metadata.kept : []
        return { anchor: row.entry.id, bytesBefore: at * 400, kept }
      },
      locate: async ({ key, entry }) => {
        const row = contextOf(key).rows.find(
          (one) => one.type === 'entry' && one.entry.id === entry,
        )
        if (row?.type !== 'entry') return null
        return { file: row.entry.file, offset: row.entry.offset }
      },
      raw: async ({ key, file, offset }) => {
        const index = contextOf(key).rows.findIndex((row) => {
          const place = row.type === 'entry' ? row.entry : row.damaged
          return place.file === file && place.offset === offset
        })
        const row = contextOf(key).rows[index]
        if (row === undefined) throw new AppError('not-found', `${file} no longer has this line.`)
        return { text: lineOf(row), line: index + 1, cut: false }
      },
      output: async ({ output, from }) => {
        const text = Array.from({ length: 40 }, (_, n) => `${output}: line ${from + n}\n`).join('')
        return { text, to: from + text.length, bytes: 4096 }
      },
      details: async ({ key }) => {
        const { summary, rows, details, failure } = contextOf(key)
        if (failure !== undefined) throw failure
        const damaged = rows.filter(({ type }) => type === 'damaged').length
        return {
          summary: { ...summary, entries: rows.length - damaged },
          folder: `~/.chibi/contexts/${key}`,
          partitions: 1,
          models: [model],
          lines: rows.length,
          blank: 0,
          damaged,
          strays: [],
          notices: [],
          ...besideDetails(key),
          ...details,
        }
      },
      watch: async () => undefined,
    },
    completion: {
      stopPdf: async () => undefined,
      readPdf: async () => ({ text: 'Rain fell on the garden.', pages: 2, empty: 1, unread: 0 }),
      begin: async ({ text, images, files }) => {
        await gate()
        throwRefusal()
        const key = LibraryKey.parse(generateName(new Date(2026, 10, 28), new Set(contexts.keys())))
        const title = firstWords(text)
        contexts.set(key, { summary: { ...summaryOf(key), title }, rows: [] })
        appendMessage(key, text, images, files)
        api.tell.library.changed({ conversations: [contextOf(key).summary], gone: [] })
        return { key, runId: startRun(key).runId }
      },
      start: async ({ key, text, images, files }) => {
        await gate()
        throwRefusal()
        appendMessage(key, text, images, files)
        return { runId: startRun(key).runId }
      },
      retry: async ({ key }) => ({ runId: startRun(key).runId }),
      cancel: async ({ runId }) => {
        for (const run of runs.values()) if (run.runId === runId) home.finish(run.key, 'stopped')
      },
      running: async () =>
        [...runs.values()].map(({ runId, key, seq, content, reasoning }) => ({
          runId,
          key,
          phase: 'streaming' as const,
          model,
          content,
          reasoning,
          nextSeq: seq,
        })),
      decide: async ({ consentId, digest, decision }) => {
        await gate()
        throwRefusal()
        if (digest !== consents.get(consentId)?.digest) return
        const asked = endConsent(consentId)
        if (asked !== undefined) decisions.push({ tool: asked.tool, decision })
      },
      asking: async () => [...consents.values()],
    },
    branches: {
      family: async ({ key }) => {
        const { family } = contextOf(key)
        const kin = [...contexts.values()].filter((context) => context.family === family)
        return {
          view: family === undefined ? null : familyViewOf(kin, key),
          counting: options.isCounting === true,
        }
      },
      map: async ({ key }) => {
        await gate()
        throwRefusal()
        const { family } = contextOf(key)
        const kin = [...contexts.values()].filter((context) =>
          family === undefined ? context.summary.key === key : context.family === family,
        )
        return { map: mapOf(kin, key), counting: options.isCounting === true }
      },
      entriesOnMap: async ({ key, entries }) => {
        const { family } = contextOf(key)
        const kin = [...contexts.values()].filter((context) => context.family === family)
        return [...namesOnMap(kin, entries)]
      },
      groups: async () => ({
        families: options.joinsFamilies === true ? familyKeys([...contexts.values()]) : [],
        counting: options.isCounting === true,
      }),
      distinctions: async ({ key }) => {
        const { family } = contextOf(key)
        return distinctionsIn([...contexts.values()].filter((context) => context.family === family))
      },
      create: async ({ key, at, action, summary }) => {
        await gate()
        throwRefusal()
        if (summary === undefined) return branchOff(key, at.entry, action)
        // A summary of everything never ends by itself.
        if (summary.words === 'everything')
          await new Promise<void>((resolve) => {
            stopSummary = resolve
          })
        const isStopped = stopSummary !== undefined
        stopSummary = undefined
        const outcome = isStopped ? { type: 'stopped' as const } : { type: 'written' as const }
        return { ...branchOff(key, at.entry, action, !isStopped), summary: outcome }
      },
      stopSummary: async () => stopSummary?.(),
    },
    comparisons: comparisons.handlers,
    finding: memoryFinding({ rowsOf: (key) => contextOf(key).rows, gate: readGate }),
    mentions: memoryMentions({
      page: (key, from, limit) => pageOf(contextOf(key).rows, from, limit, undefined),
      titleOf: (key) => contextOf(key).summary.title,
    }),
    landmarks: memoryLandmarks({ rowsOf: (key) => contextOf(key).rows, gate: readGate }),
    statistics: createMemoryStatistics({
      contexts,
      gate: readGate,
      unread: options.uncounted ?? 0,
    }),
    continuing: {
      command: async ({ key }) => {
        await gate()
        throwRefusal()
        return { command: `cd /srv/garden && claude --resume ${parseLibraryKey(key).key}` }
      },
      save: async ({ key, format }) => {
        await gate()
        throwRefusal()
        return {
          ...{ bytes: 2048, entries: contextOf(key).rows.length, damaged: 0, unread: [] },
          file: `~/.${format}/sessions/new.jsonl`,
          command: `cd /srv/garden && ${format} --session new.jsonl`,
        }
      },
    },
    exports: {
      losses: async ({ key, format }) => {
        await gate()
        const entries = contextOf(key).rows.filter(({ type }) => type === 'entry').length
        const sentence = '1 tool call or result is left out.'
        const losses = format === 'fluux' ? [{ kind: 'tool' as const, count: 1, sentence }] : []
        return { entries, written: entries - losses.length, losses }
      },
      preview: async ({ key, choices }) => {
        await gate()
        const { redaction, parts } = choices ?? {}
        const id = 'plum'
        const isReplaced = redaction?.groups.includes('emails') && !redaction.kept.includes(id)
        const finding = { id, group: 'emails', kind: 'e-mail address', number: 1 } as const
        const places = isReplaced ? 1 : 0
        const redacted = redaction?.groups.includes('emails')
          ? {
              places,
              kinds: [{ kind: finding.kind, group: finding.group, different: 1, places }],
              findings: [{ ...finding, places: 1, shown: 'ann@plum.example' }],
              found: 1,
            }
          : { places: 0, kinds: [], findings: [], found: 0 }
        const address = isReplaced ? '[redacted: e-mail address #1]' : 'ann@plum.example'
        const tools = parts?.tools === 'none' ? '' : '\n### Call of shell\n'
        return {
          text: `# ${key}\n\nWrite to ${address}.\n${tools}`,
          isWhole: true,
          redacted: redaction === undefined ? null : redacted,
        }
      },
      save: async ({ key, format }) => {
        await gate()
        throwRefusal()
        if (isExportCancelled) {
          isExportCancelled = false
          return null
        }
        const { rows } = contextOf(key)
        const damaged = rows.filter(({ type }) => type === 'damaged').length
        const bytes = rows.length * 512
        return {
          file: `~/Documents/${key}.${format}`,
          bytes,
          entries: rows.length - damaged,
          damaged,
          unread: [],
        }
      },
      async tryPattern({ pattern }) {
        await gate()
        throwRefusal()
        return { places: pattern === 'nothing' ? 0 : pattern.length }
      },
      saveAll: async ({ keys, into }) => {
        const total = keys.length
        api.tell.exports.progress({ done: 0, total })
        await gate()
        throwRefusal()
        if (isExportCancelled) {
          isExportCancelled = false
          return null
        }
        const sentence = '2 damaged lines are left out.'
        return {
          ...(into === 'zip'
            ? { place: '~/Documents/conversations.zip', zipBytes: total * 128 }
            : { place: '~/Documents/all' }),
          conversations: total,
          bytes: total * 512,
          losses: { entries: 40, written: 38, losses: [{ kind: 'damaged', count: 2, sentence }] },
          failures: [],
          failed: 0,
          stopped: false,
        }
      },
      stop: async () => {},
    },
    settings: {
      ...config.handlers,
      ...texts.handlers,
      setValue: async (change) => {
        await gate()
        return config.handlers.setValue(change)
      },
      get: async () => settings,
      setPreferences: async (change) => {
        const error = refusalOfPreferences
        refusalOfPreferences = undefined
        if (error !== undefined) throw error
        const preferences = { ...settings.preferences }
        for (const [name, value] of Object.entries(change))
          if (value !== undefined) Object.assign(preferences, { [name]: value })
        settings = { ...settings, preferences }
        return settings
      },
      setModel: async ({ model: chosen, provider, baseUrl }) => {
        const own = (value: string) => ({ value, origin: 'settings' as const, where: 'Settings' })
        settings = {
          ...settings,
          ...(chosen === undefined ? {} : { model: own(chosen) }),
          ...(baseUrl === undefined ? {} : { baseUrl: own(baseUrl) }),
          ...(provider === undefined ? {} : { provider, ready: true }),
        }
        return settings
      },
      setKey: async ({ key, allowWeak }) => {
        if (key !== null && settings.keychain !== 'strong' && !allowWeak)
          throw new AppError(
            'weak-keychain',
            'This system does not protect stored secrets: any program that you run could read the key.',
          )
        settings = {
          ...settings,
          ready: key !== null,
          key:
            key === null
              ? { present: false }
              : {
                  present: true,
                  hint: `${key.slice(0, 6)}…${key.slice(-4)}`,
                  origin: 'settings',
                  where: 'keychain',
                },
        }
        return settings
      },
      check: async () => ({
        ok: true,
        message: 'openrouter.ai answers with 3 models.',
        models: ['anthropic/claude-sonnet-4.5', 'openai/gpt-5.1', 'qwen/qwen3-14b'],
      }),
      localServers: async () => [...(options.localServers ?? [])],
    },
  }
  const api = createMemoryApi(handlers)

  const home: MemoryHome = {
    api,
    contexts,
    wholes,
    upkeep,
    fails(words) {
      failed = [{ id: failed.length + 1, atMs: 1_780_000_000_000, words, times: 1 }, ...failed]
      api.tell.background.changed(failed)
    },
    search: search.controls,
    sources: sources.controls,
    plugins: plugins.controls,
    texts,
    lost: lost.controls,
    models: models.controls,
    sent: sent.controls,
    titles: titles.controls,
    windowSize: windowSize.controls,
    append(key, drafts) {
      const context = contextOf(key)
      const last = context.rows.at(-1)
      const place =
        last === undefined ? undefined : last.type === 'entry' ? last.entry : last.damaged
      const shift = place === undefined ? 0 : place.offset + place.length + 1
      const fresh = rowsOf(drafts, { context: key, startsAt: Math.floor(Date.now() / 1000) }).map(
        (row) => moved(row, shift, context.rows.length),
      )
      context.rows = [...context.rows, ...fresh]
      api.tell.transcript.appended({
        key: LibraryKey.parse(key),
        rows: fresh,
        after: Cursor.parse(String(context.rows.length)),
      })
    },
    delta(key, text, kind = 'content') {
      const run = runOf(key)
      if (run.seq === 0)
        api.tell.completion.state({ runId: run.runId, key: run.key, phase: 'streaming', model })
      run[kind] += text
      api.tell.completion.delta({ runId: run.runId, key: run.key, seq: run.seq++, kind, text })
    },
    finish(key, outcome = 'complete') {
      const { runId, content, reasoning } = runOf(key)
      const metadata = {
        model,
        ...(reasoning === '' ? {} : { reasoning }),
        ...(outcome === 'stopped' ? { interrupted: 'stopped' } : { usage: { total_tokens: 3412 } }),
        ...(outcome === 'unfinished' ? { finish: 'length' } : {}),
      }
      if (content !== '')
        home.append(key, [{ from: key, to: 'user', role: 'agent', content, metadata }])
      runs.delete(key)
      const end =
        outcome === 'unfinished'
          ? ({ phase: 'complete', unfinished: true } as const)
          : { phase: outcome }
      api.tell.completion.state({ runId, key: LibraryKey.parse(key), ...end, model })
    },
    fail(key, failure) {
      const { runId, content } = runOf(key)
      if (content !== '')
        home.append(key, [
          {
            from: key,
            to: 'user',
            role: 'agent',
            content,
            metadata: { model, interrupted: 'failed' },
          },
        ])
      home.append(key, [
        { from: 'system', content: failure.message, entry_type: 'run_error', metadata: failure },
      ])
      runs.delete(key)
      api.tell.completion.state({
        runId,
        key: LibraryKey.parse(key),
        phase: 'failed',
        failure,
      })
    },
    retrying(key, failure, waitMs) {
      const { runId } = runOf(key)
      api.tell.completion.state({
        runId,
        key: LibraryKey.parse(key),
        phase: 'retrying',
        attempt: failure.attempts + 1,
        retryAtMs: Date.now() + waitMs,
        failure,
        model,
      })
    },
    askConsent(key, draft) {
      const number = ++consentCount
      const asked: ConsentAsked = {
        ...draft,
        consentId: ConsentId.parse(`consent-${number}`),
        key: LibraryKey.parse(key),
        runId: RunId.parse(`run-of-${number}`),
        callId: `call_${number}`,
        digest: `digest-${number}`,
      }
      consents.set(asked.consentId, asked)
      api.tell.completion.consentAsked(asked)
      return asked.consentId
    },
    withdrawConsent: (consentId) => void endConsent(consentId),
    decisions,
    lock: (key, lock) => api.tell.transcript.lock({ key: LibraryKey.parse(key), lock }),
    changeLibrary: (change) => api.tell.library.changed(change),
    hold() {
      held ??= []
    },
    release() {
      const waiting = held ?? []
      held = undefined
      for (const go of waiting) go()
    },
    refusePreferences(error) {
      refusalOfPreferences = error
    },
    refuse(error) {
      refusal = error
    },
    cancelNextExport() {
      isExportCancelled = true
    },
  }
  return home
}

/** An image as main keeps it, but for its digest. */
function keptAs({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  const sha256 = bytes.length.toString(16).padStart(64, '0')
  const file = `attachments/${sha256}.png`
  return { file, mime: 'image/png', bytes: bytes.length, name, sha256 }
}

/** A summary with usual values. */
export function summaryOf(
  title: string,
  more: Partial<ConversationSummary> = {},
): ConversationSummary {
  return {
    source: 'chibi',
    key: LibraryKey.parse(more.key ?? title),
    title,
    project: null,
    created: '2025-11-02T09:00:00.000Z',
    updated: new Date().toISOString(),
    bytes: 1_640_000,
    lock: { state: 'free' },
    running: false,
    ...more,
  }
}

type PageFrom = Parameters<AllHandlers['transcript']['page']>[0]['from']

function pageOf(
  rows: readonly TranscriptRow[],
  from: PageFrom,
  limit: number,
  movedTo: string | undefined,
): TranscriptPage {
  const [start, end] =
    from === 'start'
      ? [0, Math.min(limit, rows.length)]
      : from === 'end'
        ? [Math.max(0, rows.length - limit), rows.length]
        : 'before' in from
          ? [Math.max(0, Number(from.before) - limit), Number(from.before)]
          : 'after' in from
            ? [Number(from.after), Math.min(rows.length, Number(from.after) + limit)]
            : 'near' in from
              ? [
                  Math.max(0, Math.ceil(from.near / 400) - Math.ceil(limit / 2)),
                  Math.min(rows.length, Math.ceil(from.near / 400) + Math.ceil(limit / 2)),
                ]
              : around(rows, from.around, limit, movedTo)
  return {
    rows: rows.slice(start, end),
    ...(start > 0 ? { before: Cursor.parse(String(start)) } : {}),
    after: Cursor.parse(String(end)),
    atEnd: end === rows.length,
    totalBytes: rows.length * 400,
    bytesBefore: start * 400,
  }
}

function around(
  rows: readonly TranscriptRow[],
  line: { readonly file: string; readonly offset: number },
  limit: number,
  movedTo: string | undefined,
): readonly [number, number] {
  const index = rows.findIndex((row) => {
    const place = row.type === 'entry' ? row.entry : row.damaged
    return (place.file === line.file || place.file === movedTo) && place.offset === line.offset
  })
  if (index < 0) throw new AppError('not-found', `${line.file} no longer has this line.`)
  const half = Math.ceil(limit / 2)
  return [Math.max(0, index - half), Math.min(rows.length, index + half)]
}

function moved(row: TranscriptRow, shift: number, lines: number): TranscriptRow {
  const by = <P extends { offset: number; line?: number | undefined }>(place: P): P => ({
    ...place,
    offset: place.offset + shift,
    line: (place.line ?? 0) + lines,
  })
  if (row.type === 'damaged') return { type: 'damaged', damaged: by(row.damaged) }
  const entry = by(row.entry)
  return { type: 'entry', entry: { ...entry, id: `${entry.id}-${lines}` as typeof entry.id } }
}

/** The copy of a row in a file of its own; entries keep their ids. */
function inContext(row: TranscriptRow, context: string): TranscriptRow {
  const file = `${context}.jsonl`
  return row.type === 'entry'
    ? { type: 'entry', entry: { ...row.entry, file } }
    : { type: 'damaged', damaged: { ...row.damaged, file } }
}

function lineOf(row: TranscriptRow): string {
  if (row.type === 'damaged') return atob(row.damaged.bytes)
  const { file: _file, line: _line, offset: _offset, length: _length, ...written } = row.entry
  return JSON.stringify(written)
}
