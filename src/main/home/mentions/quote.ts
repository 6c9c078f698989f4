import {
  type ConversationQuote,
  type QuotedPart,
  quoteLimit,
} from '../../../shared/model/attachments/mentions'
import { AppError } from '../../../shared/model/basics/errors'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import {
  type Entry,
  isWrittenByPerson,
  speakerOf,
  spokenText,
} from '../../../shared/model/conversation/entry'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { TranscriptPage } from '../../../shared/model/conversation/transcript'
import { formatConversationLink } from '../../../shared/model/conversation-link'
import type { Transcripts } from '../../library/transcripts'

/** Rows of one page, and pages that are read for a quote at most. */
const pageRows = 200
const mostPages = 100

/** Message of a conversation, as it is quoted. */
interface QuotedMessage {
  readonly by: 'user' | 'agent'
  readonly entry: Entry
  readonly text: string
}

/**
 * Quotes a conversation from its end backwards: its last answer, its prompts with the last answer to each, or all that was said; tools,
 * reasoning and images are left out. The text begins with where it comes from. Reads 20,000 rows at most.
 *
 * @throws AppError `not-found`, `unreadable`, `bad-argument` where nothing was said
 */
export async function quoteConversation(
  transcripts: Pick<Transcripts, 'page'>,
  {
    key,
    title,
    part,
  }: { readonly key: LibraryKey; readonly title: string; readonly part: QuotedPart },
  signal?: AbortSignal,
): Promise<ConversationQuote> {
  const { messages, units, damaged, isWhole } = await readBack(transcripts, key, part, signal)
  if (messages.length === 0)
    throw new AppError('bad-argument', `Nothing was said in “${title}” that can be quoted.`)
  const isCut = units > quoteLimit || (part !== 'last' && !isWhole)
  const { source, key: own } = parseLibraryKey(key)
  const link = formatConversationLink({ key })
  const head = [
    `Quoted from the conversation “${title}”: ${partWords[part]}.`,
    `Source: ${sourceLabel(source)}, ${source}:${own}`,
    ...(link === undefined ? [] : [`Link: ${link}`]),
    ...(isCut ? ['Earlier messages are left out.'] : []),
    ...(damaged === 0 ? [] : [`${countWithNoun(damaged, 'damaged line')} could not be quoted.`]),
  ]
  const said = messages.map(({ by, entry, text }) => `## ${speakerWords(by, entry)}\n\n${text}`)
  const body = said.join('\n\n')
  // Of one message that is longer than a quote its end stays.
  const shown = body.length > quoteLimit + headRoom ? `…${body.slice(-quoteLimit)}` : body
  return {
    name: `${title.replace(/[/\\]/g, '-').slice(0, 80)}.md`,
    text: `${head.join('\n')}\n\n${shown}\n`,
    messages: messages.length,
    isCut,
  }
}

/** What a quote is made of, read from the end backwards. */
interface ReadBack {
  readonly messages: readonly QuotedMessage[]
  /** Of all messages together. */
  readonly units: number
  readonly damaged: number
  /** The beginning of the conversation was reached. */
  readonly isWhole: boolean
}

async function readBack(
  transcripts: Pick<Transcripts, 'page'>,
  key: LibraryKey,
  part: QuotedPart,
  signal: AbortSignal | undefined,
): Promise<ReadBack> {
  const messages: QuotedMessage[] = []
  let units = 0
  let damaged = 0
  let before: TranscriptPage['before']
  for (let page = 0; page < mostPages; page += 1) {
    const from = before === undefined ? 'end' : { before }
    const read = await transcripts.page(key, from, pageRows, signal)
    for (const row of [...read.rows].reverse()) {
      if (row.type === 'damaged') damaged += 1
      const message = row.type === 'entry' ? messageOf(row.entry) : undefined
      if (message === undefined || !isWanted(message, messages[0], part)) continue
      messages.unshift(message)
      units += message.text.length
      if (part === 'last' || units > quoteLimit) return { messages, units, damaged, isWhole: false }
    }
    before = read.before
    if (before === undefined) return { messages, units, damaged, isWhole: true }
  }
  return { messages, units, damaged, isWhole: false }
}

/** @param next the message after it, which is quoted already */
function isWanted(
  { by }: QuotedMessage,
  next: QuotedMessage | undefined,
  part: QuotedPart,
): boolean {
  if (part === 'last') return by === 'agent'
  // A later answer to the same prompt is there.
  return part === 'all' || by === 'user' || next?.by !== 'agent'
}

/** Units that the lines with speakers may take. */
const headRoom = 10_000

const partWords: Readonly<Record<QuotedPart, string>> = {
  last: 'its last answer',
  prompts: 'its prompts and the last answer to each',
  all: 'what was said',
}

function messageOf(entry: Entry): QuotedMessage | undefined {
  const by = speakerOf(entry)
  if (by !== 'agent' && !(by === 'user' && isWrittenByPerson(entry))) return undefined
  const text = spokenText(entry).trim()
  return text === '' ? undefined : { by, entry, text }
}

function speakerWords(by: 'user' | 'agent', { timestamp, metadata }: Entry): string {
  const model = metadata?.model
  const name = by === 'user' ? 'Person' : typeof model === 'string' ? model : 'Model'
  return timestamp === null ? name : `${name}, ${new Date(timestamp * 1000).toISOString()}`
}
