import type {
  ChatMessage,
  ProviderEvent,
  RequestedCall,
} from '../../../../src/main/llm/chat/provider'
import { type RunDeps, type RunInput, run } from '../../../../src/main/llm/run/run'
import type { AskConsent } from '../../../../src/main/llm/steps/consent'
import type { Clock } from '../../../../src/main/llm/timing/clock'
import type { Tool, ToolEffect, ToolOutcome } from '../../../../src/main/tools/base/tool'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { type MemoryWriter, memoryWriter } from '../../../support/memory-writer'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'

export const content = (text: string): ProviderEvent => ({ type: 'content', text })
export const finish = (
  reason: 'stop' | 'length' | 'tool-calls' | 'broken' = 'stop',
): ProviderEvent => ({ type: 'finish', reason })
export const asks = (...calls: readonly RequestedCall[]): readonly ProviderEvent[] => [
  { type: 'calls', calls },
  finish('tool-calls'),
]
export const call = (id: string, name: string, text = '{}'): RequestedCall => ({
  id,
  name,
  arguments: text,
})

export function tool(
  name: string,
  effect: ToolEffect,
  work: (
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<ToolOutcome | string>,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: `does ${name}`,
    parameters: { type: 'object' },
    effect,
    async run(args, signal) {
      const came = await work(args, signal)
      return typeof came === 'string' ? { type: 'result', text: came } : came
    },
    ...more,
  }
}

/** Ends the turn with words to the person. */
export const callUser = tool('call_user', 'flow', async () => 'Returning to user', { ends: 'turn' })

/** A clock that only a test moves: sleeps end when it is moved past them, or when their signal aborts. */
export function manualClock(): Clock & { pass(ms: number): void; readonly sleeping: number } {
  let now = 1_700_000_000_000
  const sleepers = new Set<{ readonly until: number; wake(): void }>()
  return {
    now: () => now,
    random: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => sleeper.wake(), { once: true })
      }),
    pass(ms) {
      now += ms
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake()
    },
    get sleeping() {
      return sleepers.size
    },
  }
}

export interface Played {
  readonly events: readonly RunEvent[]
  readonly writer: MemoryWriter
  readonly requests: ReturnType<typeof scriptedProvider>['requests']
}

export interface PlayOptions {
  readonly input?: Partial<RunInput>
  readonly deps?: Partial<RunDeps>
  readonly writer?: MemoryWriter
  readonly consent?: AskConsent | undefined
  readonly stop?: AbortController
  /** Called with each event and its number; `leave` leaves the run as a killed program does. */
  readonly each?: (event: RunEvent, index: number) => 'leave' | undefined
  readonly idsFrom?: number
}

/** Plays a run with tools over scripts, one for each request. */
export async function play(
  scripts: readonly (readonly ScriptStep[])[],
  tools: readonly Tool[],
  options: PlayOptions = {},
): Promise<Played> {
  const provider = scriptedProvider(...scripts)
  const writer = options.writer ?? memoryWriter('garden')
  const events: RunEvent[] = []
  let ids = options.idsFrom ?? 0
  const deps: RunDeps = {
    writer,
    provider: provider.stream,
    clock: manualClock(),
    newId: () => `e${++ids}` as EntryId,
    tools,
    consent: options.consent,
    ...options.deps,
  }
  const input: RunInput = {
    text: 'hello',
    model: 'some/model',
    username: 'someone',
    prompt: {},
    ...options.input,
  }
  const { signal } = options.stop ?? new AbortController()
  for await (const event of run(input, deps, signal)) {
    events.push(event)
    if (options.each?.(event, events.length - 1) === 'leave') break
  }
  return { events, writer, requests: provider.requests }
}

/** Entries as `type to-or-from id: content`. */
export function told(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => {
    if (entry.tool_call_id === undefined) return `${entry.entry_type}: ${entry.content}`
    const name = entry.from === 'garden' ? entry.to : entry.from
    return `${entry.entry_type} ${name} ${entry.tool_call_id}: ${entry.content}`
  })
}

const kinds = [
  ['tool_call', 'tool_result'],
  ['flow_control_call', 'flow_control_result'],
] as const

/** What chibi's rules for calls forbid in a transcript; written from the format's description. */
export function chibiFaults(entries: readonly Entry[]): readonly string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  let at = 0
  while (at < entries.length) {
    const kind = kinds.find(([type]) => type === entries[at]?.entry_type)
    if (kind === undefined) {
      if (/result$/.test(entries[at]?.entry_type ?? '')) faults.push(`${at}: a result alone`)
      at++
      continue
    }
    const calls: Entry[] = []
    for (; entries[at]?.entry_type === kind[0]; at++) calls.push(entries[at] as Entry)
    for (const one of calls) {
      const id = one.tool_call_id ?? ''
      if (id === '' || ids.has(id)) faults.push(`${at}: the id "${id}" is none of its own`)
      ids.add(id)
      const result = entries[at]
      if (result?.entry_type !== kind[1] || result.tool_call_id !== id || result.from !== one.to)
        faults.push(`${at}: no result of "${id}" but ${result?.entry_type} ${result?.tool_call_id}`)
      else at++
    }
  }
  const keys = entries.map(({ id }) => id)
  if (new Set(keys).size !== keys.length) faults.push('an entry id stands there twice')
  return faults
}

/** What a strict provider would refuse in a conversation. */
export function chatFaults(messages: readonly ChatMessage[]): readonly string[] {
  const faults: string[] = []
  const ids = new Set<string>()
  let wanted: string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!wanted.includes(message.tool_call_id))
        faults.push(`${index}: a result that is not wanted`)
      wanted = wanted.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (wanted.length > 0) faults.push(`${index}: results are missing: ${wanted}`)
    wanted = []
    if (!('tool_calls' in message)) {
      if (message.content === '') faults.push(`${index}: nothing is said`)
      continue
    }
    for (const { id, function: asked } of message.tool_calls) {
      if (ids.has(id)) faults.push(`${index}: "${id}" is there twice`)
      ids.add(id)
      wanted.push(id)
      if (!/^[\w-]{1,64}$/.test(asked.name)) faults.push(`${index}: the name "${asked.name}"`)
      if (Object.prototype.toString.call(JSON.parse(asked.arguments)) !== '[object Object]')
        faults.push(`${index}: arguments ${asked.arguments}`)
    }
  }
  if (wanted.length > 0) faults.push('results are missing at the end')
  return faults
}
