import type { Contract } from '../../../src/shared/ipc/contract'
import type { Handlers } from '../../../src/shared/ipc/wire/primitives'
import { AppError } from '../../../src/shared/model/basics/errors'
import type {
  ContextSideFiles,
  InboxItem,
} from '../../../src/shared/model/conversation/conversation'

/** What lies beside the contexts of a home in memory. */
export interface MemoryUpkeep {
  readonly handlers: Handlers<Contract['upkeep']>
  besideOf(key: string): ContextSideFiles
  summaryOf(key: string): string | undefined
  /** Messages wait for every context, and each has a transcript.md. */
  fill(): void
  /** A prompt takes the messages that wait. */
  deliver(): void
  /** The next check finds a partition that is not what was sealed. */
  breakSeal(): void
  /** The next check waits until it is cancelled. */
  holdCheck(): void
}

const waiting: readonly InboxItem[] = [
  { id: 'm1', from: 'kitchen', text: 'Bring basil.', at: 1_780_000_000 },
  { id: 'm2', from: 'zoo', text: 'Rain <b>comes</b>.', at: 1_780_000_100 },
]

/** @param mayRefuse throws what the next act is refused with */
export function createMemoryUpkeep(mayRefuse: () => void): MemoryUpkeep {
  let inbox: readonly InboxItem[] = []
  let pageMessages = 0
  let current = 'kitchen'
  let isBroken = false
  let isHeld = false
  let cancel: (() => void) | undefined
  const summaries = new Map<string, string>()

  return {
    besideOf: (key) => ({
      inbox: [...inbox],
      inboxCount: inbox.length,
      inboxDamaged: 0,
      hasSystemPrompt: false,
      mark: current === key ? 'current' : null,
      expiresAt: null,
      pageMessages,
      notices: [],
    }),
    summaryOf: (key) => summaries.get(key),
    fill() {
      inbox = waiting
      pageMessages = 2
    },
    deliver() {
      inbox = []
    },
    breakSeal() {
      isBroken = true
    },
    holdCheck() {
      isHeld = true
    },
    handlers: {
      partitions: async () => ({
        rows: [
          {
            file: 'transcript/partitions/1780000000-1780086400.jsonl',
            isActive: false,
            start: 1_780_000_000,
            end: 1_780_086_400,
            entries: 1000,
            tokens: 41_234,
            bytes: 212_345,
            seal: 'sealed',
            hasFilter: true,
            isStray: false,
          },
          {
            file: 'transcript/active.jsonl',
            isActive: true,
            start: 1_780_086_401,
            end: 1_780_086_500,
            entries: 12,
            tokens: 321,
            bytes: 4321,
            seal: 'none',
            hasFilter: false,
            isStray: false,
          },
        ],
        thresholds: { entries: 1000, tokens: 100_000, ageSeconds: 2_592_000 },
      }),
      async check() {
        if (isHeld) {
          isHeld = false
          await new Promise<void>((resolve) => {
            cancel = resolve
          })
          throw new AppError('cancelled', 'The check was cancelled.')
        }
        const ok = !isBroken
        return [
          {
            file: 'contexts/garden/transcript/partitions/1780000000-1780086400.jsonl',
            lines: 1000,
            damaged: 0,
            sealed: true,
            ok,
            ...(ok ? {} : { firstChangedByte: 4096, withinBytes: 1 }),
          },
          {
            file: 'contexts/garden/transcript/active.jsonl',
            lines: 12,
            damaged: 1,
            sealed: false,
            ok: true,
          },
        ]
      },
      async cancelCheck() {
        cancel?.()
      },
      page: async () => ({
        text: '[USER]: When do I prune?\n\n[ASSISTANT]: In March.\n\n',
        bytes: 52,
        leftOut: 0,
      }),
      async makeCurrent({ key }) {
        mayRefuse()
        current = key
      },
      readSummary: async ({ key }) => ({ text: summaries.get(key) ?? null }),
      async writeSummary({ key, text, before }) {
        mayRefuse()
        if ((summaries.get(key) ?? null) !== before)
          throw new AppError('busy', 'summary.md changed in the meantime.')
        if (text === null) summaries.delete(key)
        else summaries.set(key, text)
      },
      async changeInbox({ message, text }) {
        mayRefuse()
        if (!inbox.some(({ id }) => id === message.id))
          throw new AppError(
            'busy',
            'This message is no longer waiting: it was delivered or changed.',
          )
        const others = inbox.filter(({ id }) => id !== message.id)
        inbox = text === null ? others : [...others, { ...message, id: `${message.id}b`, text }]
      },
      async putInbox({ message }) {
        inbox = [...inbox, message]
      },
    },
  }
}
