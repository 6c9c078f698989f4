import {
  type ConversationQuote,
  type QuotedPart,
  quoteLimit,
} from '../../../shared/model/attachments/mentions'
import { AppError } from '../../../shared/model/basics/errors'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { entryTimeMs, isoTimeOfMs } from '../../../shared/model/basics/time'
import { replaceControls } from '../../../shared/model/basics/visible'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import {
  type Entry,
  isWrittenByPerson,
  shownText,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import type { TranscriptPage } from '../../../shared/model/conversation/transcript'
import { formatConversationLink } from '../../../shared/model/conversation-link'
import type { Transcripts } from '../../library/transcripts'
import { truncateEnd, truncateStart } from '../../tools/base/short-text'

/** Rows of one page, and pages that are read for a quote at most. */
const pageRows = 200
const mostPages = 100

/** Longest text of a file or a source in one line of a quote, in UTF-16 units. */
const longestLine = 300
/** Fewest units of a message that are worth its heading, where an end of it would fit. */
const leastShown = 500

/** Message of a conversation, as it is quoted. */
interface QuotedMessage {
  readonly by: 'user' | 'agent'
  readonly entry: Entry
  /** Empty for images alone. */
  readonly text: string
  readonly images: number
}

/**
 * Quotes a conversation from its end backwards: its last answer, its prompts with the last answer to each, or all that was said; tools
 * and reasoning are left out, images are named. The text begins with where it comes from; each line of a message begins with `> `, so
 * that none poses as a heading. It has `quoteLimit` units at most. Reads 20,000 rows at most.
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
  const read = await readBack(transcripts, key, part, signal)
  const called = lineOf(title)
  if (read.messages.length === 0) {
    const what = part === 'last' ? 'No answer' : 'No message'
    const where = read.isEnded
      ? `in “${called}”`
      : `among the newest ${countWithNoun(read.rows, 'entry', 'entries')} of “${called}”`
    throw new AppError('bad-argument', `${what} that can be quoted is ${where}.`)
  }
  const lines = headOf(key, called, part, read)
  const earlier = 'Earlier messages are left out.'
  const room = quoteLimit - [...lines, earlier, '', ''].join('\n').length
  const shown = newestThatFit(read.messages, room)
  const hasEarlier = read.hasEarlier || shown.texts.length < read.messages.length
  return {
    name: `${truncateEnd(called.replace(/[/\\]/g, '-'), 80)}.md`,
    text: `${[...lines, ...(hasEarlier ? [earlier] : [])].join('\n')}\n\n${shown.texts.join('\n\n')}\n`,
    messages: shown.texts.length,
    isCut: hasEarlier || shown.isCut || (part !== 'last' && !read.isEnded),
  }
}

/** Says where a quote comes from, and what of it is not there. */
function headOf(key: LibraryKey, called: string, part: QuotedPart, read: ReadBack): string[] {
  const { source, key: own } = parseLibraryKey(key)
  const link = formatConversationLink({ key })
  const { rows, damaged, elsewhere, notice, isEnded } = read
  return [
    `Quoted from the conversation “${called}”: ${partWords[part]}.`,
    `Source: ${sourceLabel(source)}, ${source}:${lineOf(own)}`,
    ...(link === undefined ? [] : [`Link: ${link}`]),
    ...(notice === undefined ? [] : [lineOf(notice)]),
    ...(elsewhere === 0
      ? []
      : [`On other branches: ${countWithNoun(elsewhere, 'entry', 'entries')}, not quoted.`]),
    ...(damaged === 0 ? [] : [`Damaged, and not quoted: ${countWithNoun(damaged, 'line')}.`]),
    ...(part === 'last' || isEnded
      ? []
      : [`Looked at: its newest ${countWithNoun(rows, 'entry', 'entries')}.`]),
  ]
}

/** Writes the newest messages that fit, oldest first; of the first one its end, where that is all that fits. */
function newestThatFit(messages: readonly QuotedMessage[], room: number) {
  const texts: string[] = []
  let left = room
  for (const message of [...messages].reverse()) {
    const whole = written(message, left)
    const isFirst = texts.length === 0
    if (whole.isCut && !isFirst && left < leastShown) return { texts, isCut: true }
    texts.unshift(whole.text)
    if (whole.isCut) return { texts, isCut: true }
    left -= whole.text.length + 2
  }
  return { texts, isCut: false }
}

/** Writes a message under its heading. */
function written({ by, entry, text, images }: QuotedMessage, room: number) {
  const heading = `## ${speakerWords(by, entry)}`
  const left =
    images === 0 ? [] : [images === 1 ? '(image)' : `(${countWithNoun(images, 'image')})`]
  // More than fits is not looked at.
  const end = truncateStart(text, quoteLimit)
  const lines = text === '' ? [] : [`> ${end.split(lineBreak).join('\n> ')}`]
  const whole = [heading, ...lines, ...left].join('\n\n')
  if (end.length === text.length && whole.length <= room) return { text: whole, isCut: false }
  const note = 'The beginning of this message is left out.'
  const around = [heading, note, '> …', ...left].join('\n\n').length
  const shown = truncateStart(lines.join(''), Math.max(0, room - around)).replace(/^>? /, '')
  return { text: [heading, note, `> …${shown}`, ...left].join('\n\n'), isCut: true }
}

/** All that programs take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** Parts of a quote, read from the end backwards. */
interface ReadBack {
  readonly messages: readonly QuotedMessage[]
  /** Rows that were looked at, and damaged ones among them. */
  readonly rows: number
  readonly damaged: number
  /** Rows on other branches. */
  readonly elsewhere: number
  readonly notice: string | undefined
  /** More messages are there than a quote holds. */
  readonly hasEarlier: boolean
  /** All was looked at, or as much as is needed. */
  readonly isEnded: boolean
}

async function readBack(
  transcripts: Pick<Transcripts, 'page'>,
  key: LibraryKey,
  part: QuotedPart,
  signal: AbortSignal | undefined,
): Promise<ReadBack> {
  const messages: QuotedMessage[] = []
  let [units, rows, damaged, elsewhere] = [0, 0, 0, 0]
  let notice: string | undefined
  let before: TranscriptPage['before']
  const readSoFar = (how: { readonly hasEarlier: boolean; readonly isEnded: boolean }) => ({
    ...{ messages, rows, damaged, elsewhere, notice },
    ...how,
  })
  for (let page = 0; page < mostPages; page += 1) {
    const from = before === undefined ? 'end' : { before }
    const read = await transcripts.page(key, from, pageRows, signal)
    notice ??= read.notice
    elsewhere = read.branches?.elsewhere ?? elsewhere
    for (const row of [...read.rows].reverse()) {
      rows += 1
      if (row.type === 'damaged') damaged += 1
      const message = row.type === 'entry' ? messageOf(row.entry) : undefined
      if (message === undefined || !isWanted(message, messages[0], part)) continue
      if (units > quoteLimit) return readSoFar({ hasEarlier: true, isEnded: true })
      messages.unshift(message)
      units += message.text.length
      if (part === 'last') return readSoFar({ hasEarlier: false, isEnded: true })
    }
    before = read.before
    if (before === undefined) return readSoFar({ hasEarlier: false, isEnded: true })
  }
  return readSoFar({ hasEarlier: false, isEnded: false })
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

const partWords: Readonly<Record<QuotedPart, string>> = {
  last: 'its last answer',
  prompts: 'its prompts and the last answer to each',
  all: 'what was said',
}

function messageOf(entry: Entry): QuotedMessage | undefined {
  const by = speakerOf(entry)
  if (by !== 'agent' && !(by === 'user' && isWrittenByPerson(entry))) return undefined
  const text = shownText(entry).trim()
  const images = Array.isArray(entry.metadata?.images) ? entry.metadata.images.length : 0
  return text === '' && images === 0 ? undefined : { by, entry, text, images }
}

function speakerWords(by: 'user' | 'agent', { timestamp, metadata }: Entry): string {
  const model = metadata?.model
  const name = by === 'user' ? 'Person' : typeof model === 'string' ? lineOf(model) : 'Model'
  const time = isoTimeOfMs(entryTimeMs(timestamp))
  return time === null ? name : `${name}, ${time}`
}

/** Text of a file or a source as a part of one line. */
function lineOf(text: string): string {
  return truncateEnd(replaceControls(text.slice(0, 2 * longestLine), ' '), longestLine)
}
