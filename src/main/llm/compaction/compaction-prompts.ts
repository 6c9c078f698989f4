import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { ChatMessage } from '../chat/provider'
import type { Unit } from './units'

/**
 * Default texts of the two prompts; a home replaces them with `prompts/compaction.md` and `prompts/continuation.md`.
 */
export const defaultCompactionPrompts = {
  compaction: `You summarize a conversation so that it can continue without its earlier part.
Write down what is needed to continue: what was asked for and why, what was decided, what was found out, what was done and what is still open. Keep names, numbers, paths, quotations and code exactly as they are where they may be needed again. If there is a summary of a still earlier part, keep everything in it that still matters.
Write in the language of the conversation, plainly, without an introduction. Do not answer anything asked in it, and do not call tools.`,
  continuation:
    'The earlier part of this conversation is no longer shown. What matters from it is below; continue from there.',
} as const

/**
 * Writes the prompt that asks for the summary of a branch that a person leaves.
 *
 * @param words what the person wants to know of it; all that matters where absent
 */
export function branchSummaryPrompt(words: string | undefined): string {
  const wanted =
    words === undefined || words.trim() === ''
      ? 'Write down what is worth knowing when the conversation goes another way: what was tried and how it ended, what was decided, what was found out, what was changed and is still so, and what stayed open.'
      : `Write down what the person who goes another way wants to know of it. In their words: ${words.trim()}`
  return `You summarize a branch of a conversation that is left. The conversation goes on from an earlier point, without it.
${wanted} Keep names, numbers, paths, quotations and code exactly as they are where they may be needed again.
Write in the language of the conversation, plainly, without an introduction. Do not answer anything asked in it, and do not call tools.`
}

/** Characters of a message where the model only chooses. */
const shownToChoose = 500
/** Characters of a result in a summary request: chibi's own number. */
const shownOfResults = 200

const leftOut = (count: number) => `[${count} messages omitted]`

/**
 * Writes the question by which the model chooses the messages that go, in at most `bytes` bytes of messages. It
 * numbers `units` from 1.
 */
export function choiceRequest(units: readonly Unit[], count: number, bytes: number): string {
  const texts = fitted(bytes, shownToChoose, (most) =>
    units.map(({ messages }, index) => `[${index + 1}] ${textOf(messages, most, most)}`),
  )
  return `These are the messages of a conversation, each with its number. About ${count} of them must be removed to make room. Which matter least for continuing? Answer only with their numbers, as a JSON array such as [1, 2].

${texts}`
}

/** Reads the numbers in an answer as indexes of the list that was shown, from 0; undefined where it names none. */
export function parseChoice(answer: string, length: number): ReadonlySet<number> | undefined {
  const from = answer.indexOf('[')
  const to = answer.lastIndexOf(']')
  if (from === -1 || to < from) return undefined
  let value: unknown
  try {
    value = JSON.parse(answer.slice(from, to + 1))
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  const places = value
    .map((one) => (typeof one === 'string' ? Number(one) : one))
    .filter((one) => Number.isInteger(one) && one >= 1 && one <= length)
    .map((one: number) => one - 1)
  return places.length === 0 ? undefined : new Set(places)
}

/** Writes the request for a summary of these messages, behind the summary so far, in about `bytes` bytes. */
export function summaryRequest(
  units: readonly Unit[],
  before: string | undefined,
  bytes: number,
): string {
  const earlier =
    before === undefined || before.trim() === ''
      ? ''
      : `--- SUMMARY SO FAR ---\n${cut(before, Math.floor(bytes / 4))}\n\n--- MESSAGES SINCE THEN ---\n`
  const texts = fitted(bytes - Buffer.byteLength(earlier), undefined, (most) =>
    units.map(({ messages }) => textOf(messages, most, Math.min(most, shownOfResults))),
  )
  return `Please summarize this conversation:\n\n${earlier}${texts}`
}

/** Messages as chibi writes them for a model: a block each, calls by the names of their tools. */
function textOf(messages: readonly ChatMessage[], most: number, mostOfResult: number): string {
  return messages
    .map((message) => {
      const role = `[${message.role.toUpperCase()}]`
      if (message.role === 'tool') return `${role}: ${cut(message.content, mostOfResult)}`
      if (!('tool_calls' in message)) return `${role}: ${cut(message.content, most)}`
      const names = message.tool_calls.map((call) => call.function.name).join(', ')
      const text = message.content === undefined ? '' : `${cut(message.content, most)}\n`
      return `${role}: ${text}(calls ${names})`
    })
    .join('\n\n')
}

/** Joins texts so that they take no more than so many bytes: each is cut shorter, then those in the middle go. */
function fitted(
  bytes: number,
  most: number | undefined,
  write: (most: number) => readonly string[],
): string {
  let longest = most ?? Math.max(100, bytes)
  let texts = write(longest)
  const size = (all: readonly string[]) =>
    all.reduce((sum, text) => sum + Buffer.byteLength(text) + 2, 0)
  while (size(texts) > bytes && longest > 40) {
    longest = Math.floor(longest / 2)
    texts = write(longest)
  }
  if (size(texts) <= bytes) return texts.join('\n\n')
  const ends = [[], []] as [string[], string[]]
  let left = bytes - leftOut(texts.length).length
  let [from, to] = [0, texts.length - 1]
  for (let isFirst = true; from <= to; isFirst = !isFirst) {
    const text = texts[isFirst ? from : to] ?? ''
    left -= Buffer.byteLength(text) + 2
    if (left < 0) break
    if (isFirst) ends[0].push(text)
    else ends[1].unshift(text)
    if (isFirst) from++
    else to--
  }
  return [...ends[0], leftOut(to - from + 1), ...ends[1]].join('\n\n')
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${wellFormed(text.slice(0, Math.max(0, most)))}…`
}
