import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import type { DamagedLine } from '../../../src/shared/model/conversation/transcript'
import type { LostAndFound, LostItem } from '../../../src/shared/model/lost'
import type { AllHandlers } from '../../support/memory-api'
import { rowsOf, said } from './rows'

/** What a test has lost, and what it does to that while the window is open. */
export interface MemoryLost {
  readonly handlers: AllHandlers['lost']
  readonly controls: {
    /** What the next answers say, also after a lasting failure; nobody is told. */
    set(found: LostAndFound): void
    /** What the next call is refused with. */
    refuse(error: AppError): void
    /** The next answers wait until `release` is called. */
    hold(): void
    release(): void
  }
}

export interface LostOptions {
  readonly found: LostAndFound
  /** By the keys of conversations. */
  readonly lines?: Readonly<Record<string, readonly DamagedLine[]>>
  /** Thrown by every look. */
  readonly failure?: AppError
}

/** The lost and found of a home in memory; all is well without options. */
export function createMemoryLost(
  options: LostOptions | undefined,
  tell: (change: { conversations: ConversationSummary[]; gone: string[] }) => void,
  allWell: () => number,
): MemoryLost {
  let found = options?.found
  let failure = options?.failure
  let refusal: AppError | undefined
  let held: (() => void)[] | undefined

  async function gate(): Promise<void> {
    const waiting = held
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve))
    const error = refusal
    refusal = undefined
    if (error !== undefined) throw error
  }

  return {
    handlers: {
      async list() {
        await gate()
        if (failure !== undefined) throw failure
        return found ?? { items: [], counted: allWell(), waiting: 0, large: 0 }
      },
      async lines({ key, limit }) {
        await gate()
        const lines = options?.lines?.[key]
        if (lines === undefined) throw new AppError('not-found', `"${key}" no longer exists.`)
        return { lines: lines.slice(0, limit), total: lines.length }
      },
      async forget({ key }) {
        await gate()
        if (found !== undefined)
          found = { ...found, items: found.items.filter((item) => item.key !== key) }
        tell({ conversations: [], gone: [key] })
      },
    },
    controls: {
      set(next) {
        found = next
        failure = undefined
      },
      refuse(error) {
        refusal = error
      },
      hold() {
        held ??= []
      },
      release() {
        const waiting = held ?? []
        held = undefined
        for (const go of waiting) go()
      },
    },
  }
}

/** Something of every kind, and text that nobody should trust. */
export function everyLoss(): LostOptions {
  const items: readonly LostItem[] = [
    {
      kind: 'unreadable',
      source: 'chibi',
      key: LibraryKey.parse('interview-questions'),
      title: 'interview-questions',
      lines: 0,
      words: ['contexts/interview-questions/transcript cannot be used: permission denied.'],
      place: '~/.chibi/contexts/interview-questions',
    },
    {
      kind: 'damaged',
      source: 'chibi',
      key: LibraryKey.parse('import-gap'),
      title: 'import-gap',
      lines: 3,
      words: [],
      place: '~/.chibi/contexts/import-gap',
    },
    {
      kind: 'damaged',
      source: 'cycod',
      key: LibraryKey.parse('cycod:chat-history-1754437000000'),
      title:
        '<b>Where</b> does the \u202egap\u202c start, and why does nobody see it before the morning?',
      lines: 1,
      words: [],
      place: '~/.cycod/history/chat-history-1754437000000.jsonl',
    },
    {
      kind: 'unplaced',
      source: 'voicemode',
      title: 'exchanges_2025-11-02.jsonl',
      lines: 14,
      words: ['text ends inside a string', 'it has no conversation_id'],
      place: '~/.voicemode/logs/conversations/exchanges_2025-11-02.jsonl',
      damaged: damagedOf(
        [
          {
            damaged: '{"version":3,"text":"What was \u202ehalf\u202c\u0000 said',
            reason: 'text ends inside a string',
          },
          {
            damaged: `{"type":"stt","text":"${'and so on '.repeat(900)}"}`,
            reason: 'it has no conversation_id',
          },
        ],
        'logs/conversations/exchanges_2025-11-02.jsonl',
      ),
    },
    ...['Port the parser to streams', 'House rules for code review'].map(
      (title, index): LostItem => ({
        kind: 'gone',
        source: 'fluux',
        key: LibraryKey.parse(`fluux:room-${index}`),
        title,
        lines: 0,
        words: [`Its files are no longer on the disk. It held ${62 + index} entries.`],
        place: '',
      }),
    ),
    {
      kind: 'noticed',
      source: 'chibi',
      key: LibraryKey.parse('seed-catalogue'),
      title: 'seed-catalogue',
      lines: 0,
      words: [
        'manifest.json is not JSON; the partitions were read by their names.',
        '1769900000-1769990000.jsonl is not in the manifest; it was read anyway.',
      ],
      place: '~/.chibi/contexts/seed-catalogue',
    },
  ]
  return {
    found: { items: [...items], counted: 24, waiting: 2, large: 2 },
    lines: {
      'import-gap': damagedOf([
        said('What reads the raw files?'),
        {
          damaged: '{"id":"6f1c","from":"import-gap","content":"\u001b[31mhalf\u0000 a li',
          reason: 'text ends inside a string',
        },
        {
          damaged: `{"id":"6f1d" "content":"${'a very long line '.repeat(400)}"}`,
          reason: 'a comma is missing',
        },
        { damaged: '{"id":"torn', reason: 'the line ends before its value', torn: true },
      ]),
      'cycod:chat-history-1754437000000': damagedOf(
        [{ damaged: '{"role":"user","content":\u202e}', reason: 'a value is missing' }],
        'chat-history-1754437000000.jsonl',
      ),
    },
  }
}

function damagedOf(
  drafts: Parameters<typeof rowsOf>[0],
  file = 'transcript/active.jsonl',
): DamagedLine[] {
  return rowsOf(drafts, { file }).flatMap((row) => (row.type === 'damaged' ? [row.damaged] : []))
}
