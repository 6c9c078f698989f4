import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import type { StreamLimits } from '../../../../src/main/llm/provider/stream-limits'
import { openPreparation } from '../../../../src/main/llm/run/prepare'
import { run as startRun } from '../../../../src/main/llm/run/run'
import type { Clock } from '../../../../src/main/llm/timing/clock'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import type { AdjustmentMemory } from '../../../../src/main/settings/stored/request-adjustments'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import type { Hooks } from '../../../../src/main/tools/hooks/hooks'
import { type Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import type { GivenImage } from '../../../../src/shared/model/conversation/images'
import type { RunEvent } from '../../../../src/shared/model/run/run'

/** What of a run with everything real is chosen by a test. */
export interface RealRunOptions {
  readonly home: string
  /** With `/v1`. */
  readonly url: string
  readonly text: string
  readonly images?: readonly GivenImage[]
  readonly context?: string
  readonly model?: string
  readonly apiKey?: string
  /** Keys of config.toml, for this run. */
  readonly values?: Readonly<Record<string, unknown>>
  /** The folder that file tools may use. */
  readonly work?: string
  readonly limits?: Partial<StreamLimits>
  /** What models had to be conceded; forgotten behind each run where it is absent. */
  readonly memory?: AdjustmentMemory
  readonly maxEntries?: number
  /** Whether the requests are taken down; they are where it is absent. */
  readonly logs?: boolean
  readonly signal?: AbortSignal
  readonly disk?: Disk
  /** Who is heard at the points of the run. */
  readonly hooks?: Hooks
  /** Called with each event before the run goes on. */
  readonly each?: (event: RunEvent) => Promise<void>
}

export interface RealRun {
  readonly events: readonly RunEvent[]
  /** The entries that were told, in order. */
  readonly entries: readonly Entry[]
  /** All text that streamed in, by kind. */
  readonly streamed: Readonly<Record<'content' | 'reasoning', string>>
  readonly end: Extract<RunEvent, { type: 'ended' }>
}

/** A busy machine is not taken for a silent server. */
const unhurried: Partial<StreamLimits> = { firstByteMs: 3_600_000, silenceMs: 3_600_000 }

/** The system's clock, but what it waits for comes a hundred times sooner. */
export const hurried: Clock = {
  now: Date.now,
  random: () => 0,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms / 100)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    }),
}

/**
 * A run over HTTP into a home on the disk, prepared as the window and the command line do it, from the home's own files;
 * whatever writes is allowed.
 */
export async function realRun(options: RealRunOptions): Promise<RealRun> {
  const { home, url, text, context = 'garden', apiKey, work, maxEntries = 1000 } = options
  const { disk = nodeDisk } = options
  const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries })
  const store = openStore({ home, disk, storagePolicy })
  const settings = openSettings({
    disk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  const run = {
    model: options.model ?? 'practice',
    baseUrl: url,
    apiKey,
    username: 'mira',
    values: {
      ...options.values,
      ...(work === undefined ? {} : { file_tools_allowed_paths: [work] }),
    },
  }
  const notes: string[] = []
  const preparation = openPreparation({
    disk,
    store,
    runSettings: (name, one) => settings.runSettings(name, one),
    logsRequests: async () => options.logs ?? true,
    hooks: options.hooks,
    note: (words) => notes.push(words),
  })
  const create = (await store.findContext(context)) === undefined
  const writer = await store.openWriter(context, { create })
  const events: RunEvent[] = []
  try {
    const { signal = new AbortController().signal, limits } = options
    const endpoint = await settings.endpoint(context, run)
    const prepared = await preparation.prepare({
      context,
      text,
      images: options.images,
      endpoint,
      run,
    })
    const deps = {
      ...prepared.deps,
      writer,
      provider: openAiStream(
        { baseUrl: endpoint.baseUrl.value, apiKey: endpoint.apiKey?.value.reveal() },
        { memory: options.memory, limits: { ...unhurried, ...limits } },
      ),
      clock: hurried,
      newId: () => EntryId.parse(randomUUID()),
      consent: async () => ({ allowed: true as const }),
    }
    for await (const event of startRun(prepared.input, deps, signal)) {
      events.push(event)
      await options.each?.(event)
    }
  } finally {
    await writer.close()
  }
  if (notes.length > 0) throw new Error(`the run noted: ${notes.join('; ')}`)
  return { ...readEvents(events), events }
}

function readEvents(events: readonly RunEvent[]): Omit<RealRun, 'events'> {
  const end = events.at(-1)
  if (end?.type !== 'ended') throw new Error(`the run ended with ${end?.type ?? 'nothing'}`)
  const text = (kind: 'content' | 'reasoning') =>
    events
      .map((event) => (event.type === 'delta' && event.kind === kind ? event.text : ''))
      .join('')
  return {
    end,
    entries: events.flatMap((event) =>
      event.type === 'appended' && event.row.type === 'entry' ? [event.row.entry] : [],
    ),
    streamed: { content: text('content'), reasoning: text('reasoning') },
  }
}

/** Entries as `type tool: content`, or `type`. */
export function outline(entries: readonly Entry[], context = 'garden'): readonly string[] {
  return entries.map(({ entry_type: type, from, to, content }) => {
    const tool = from === context ? to : from
    return /_(call|result)$/.test(type) ? `${type} ${tool}: ${content}` : type
  })
}
