import type { Entry } from '../../../shared/model/conversation/entry'
import type { Scrub } from '../../settings/base/scrub'
import {
  InboxMessage,
  inboxPaths,
  messageKey,
  readWaitingMessages,
  removeDeliveredMessages,
} from '../../store/inbox/inbox-delivery'
import {
  type ChangedPrompt,
  openPromptRecord,
  type PromptRecord,
  readAgents,
  readContextImage,
} from '../../store/prompt-texts'
import { logRequest } from '../../store/texts/request-log'
import { keepOutput, keptOutputNotice } from '../../tools/files/kept-output'
import type { BuiltInDeps } from '../../tools/index'
import type { ReadImage } from '../request/images'
import type { RequestBody } from '../request/request-body'
import type { ToolOutputStore } from './call-hooks'
import type { RunInbox } from './user-message'

interface RunFilesDeps extends Pick<BuiltInDeps, 'disk' | 'home' | 'context'> {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly note: (words: string) => void
}

/**
 * The files that a run reads and writes around the transcript. Nothing here rejects: a failure is noted, and the run
 * continues.
 */
interface RunFiles {
  readonly inbox: RunInbox
  readonly readImage: ReadImage
  agents(): Promise<string | undefined>
  /** The prompt, where it is another one than the last run's. */
  changedPrompt(prompt: string): Promise<ChangedPrompt | undefined>
  keepPrompt(prompt: string, combined?: string): Promise<void>
  outputs(threshold: number, previewChars: number): ToolOutputStore
  requestLog(scrub: Scrub): (body: RequestBody) => Promise<void>
}

/** Opens the files around a context's transcript for a run. Reads nothing yet. */
export function openRunFiles({ disk, home, context, now, note }: RunFilesDeps): RunFiles {
  const seconds = () => Math.floor(now() / 1000)
  async function tried<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      note(`${context}: ${what}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  let record: Promise<PromptRecord | undefined> | undefined
  const promptRecord = () => {
    record ??= tried('context_meta.json was not read', () => openPromptRecord(disk, home, context))
    return record
  }
  const paths = inboxPaths(home, context)
  const empty = (keys: ReadonlySet<string>) =>
    tried('the inbox was not emptied', () => removeDeliveredMessages(disk, paths, keys))
  return {
    inbox: {
      take: (window) =>
        tried('the inbox was not read', async () => {
          const { messages, damaged } = await readWaitingMessages(disk, paths)
          if (messages.length === 0) return undefined
          const before = deliveredIn(await window())
          const fresh = messages.filter((message) => !before.has(messageKey(message)))
          const keys = new Set(messages.map(messageKey))
          if (fresh.length === 0) {
            await empty(keys)
            return undefined
          }
          return {
            messages: fresh,
            damaged: damaged.length,
            done: async () => {
              await empty(keys)
            },
          }
        }),
    },
    readImage: (name) =>
      tried('an image was not read', () => readContextImage(disk, home, context, name)),
    agents: () => tried('AGENTS.md was not read', () => readAgents(disk, home)),
    async changedPrompt(prompt) {
      const known = await promptRecord()
      return known?.isChanged(prompt) ? { prompt, before: known.before } : undefined
    },
    async keepPrompt(prompt, combined) {
      const known = await promptRecord()
      await tried('context_meta.json was not written', async () => known?.keep(prompt, combined))
    },
    outputs: (threshold, previewChars) => ({
      threshold,
      async keep(tool, args, output) {
        const kept = await keepOutput({ disk, home, context }, tool, args, output, seconds())
        return { id: kept.id, notice: (summary) => keptOutputNotice(kept, previewChars, summary) }
      },
      failed: (tool, error) =>
        note(`${context}: the output of ${tool} was not kept: ${String(error)}`),
    }),
    requestLog: (scrub) => async (body) => {
      await tried('requests.jsonl was not written', () =>
        logRequest(disk, home, context, seconds(), body, scrub),
      )
    },
  }
}

const Delivered = InboxMessage.omit({ to: true })

/** Returns the keys of the messages that a window has already. */
function deliveredIn(window: readonly Entry[]): ReadonlySet<string> {
  return new Set(
    window.flatMap(({ metadata }) => {
      const inbox: unknown = metadata?.inbox
      const found = Array.isArray(inbox) ? inbox.map((one) => Delivered.safeParse(one).data) : []
      return found.flatMap((one) => (one === undefined ? [] : [messageKey(one)]))
    }),
  )
}
