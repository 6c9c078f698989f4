import { AppError } from '../../../src/shared/model/basics/errors'
import { type Entry, isAnchor } from '../../../src/shared/model/conversation/entry'
import type { TranscriptRow } from '../../../src/shared/model/conversation/transcript'
import type { Sent, SentMessage, SentNeighbour } from '../../../src/shared/model/run/sent'
import { entryUsage } from '../../../src/shared/model/run/usage'
import type { AllHandlers } from '../../support/memory-api'

/** What a test says of what was sent. */
export interface MemorySent {
  readonly handlers: AllHandlers['sent']
  readonly controls: {
    /** Changes what is said of the answers from now on, by their ids; `*` is of all. */
    say(answer: string, change: Partial<Sent>): void
  }
}

/** What the model was sent, told from the rows: a prompt, and a message for each entry since the last anchor. */
export function createMemorySent(deps: {
  readonly rowsOf: (key: string) => readonly TranscriptRow[]
  /** Throws what the next call is refused with. */
  readonly mayRefuse: () => void
}): MemorySent {
  const said = new Map<string, Partial<Sent>>()
  const entriesOf = (key: string) =>
    deps.rowsOf(key).flatMap((row) => (row.type === 'entry' ? [row.entry] : []))

  function sentBefore(key: string, id: string): Sent {
    const entries = entriesOf(key)
    const index = entries.findIndex((entry) => entry.id === id)
    const answer = entries[index]
    if (answer === undefined) throw new AppError('not-found', `There is no answer "${id}".`)
    const window = windowBefore(entries, index)
    const messages = [system(key), ...window.map(messageOf)]
    const usage = entryUsage(answer)
    return {
      entryId: answer.id,
      origin: 'rebuilt',
      match: 'different',
      sentAtMs: null,
      answeredAtMs: msOf(answer),
      model: 'claude-sonnet-4.5',
      messages,
      tools,
      parameters: { temperature: '0.2', 'reasoning.effort': '"medium"' },
      parts: {
        system: system(key).tokens,
        history: messages.slice(1).reduce((sum, { tokens }) => sum + tokens, 0),
        tools: tools.reduce((sum, { tokens }) => sum + tokens, 0),
        attachments: 0,
      },
      countedBy: { by: 'estimate' },
      ...(usage === undefined ? {} : { told: usage }),
      notes: ['The system prompt is the current one: the transcript has none before this answer.'],
      ...said.get('*'),
      ...said.get(id),
    }
  }

  return {
    controls: {
      say(answer, change) {
        said.set(answer, { ...said.get(answer), ...change })
      },
    },
    handlers: {
      async of({ key, entryId }) {
        deps.mayRefuse()
        return sentBefore(key, entryId)
      },
      async body({ key, entryId }) {
        deps.mayRefuse()
        const { model, messages, tools: offered } = sentBefore(key, entryId)
        return JSON.stringify({ model, messages, tools: offered }, null, 2)
      },
      async around({ key, entryId }) {
        deps.mayRefuse()
        const entries = entriesOf(key)
        const index = entries.findIndex(({ id }) => id === entryId)
        const answers = entries
          .map((entry, at) => ({ entry, at }))
          .filter(({ entry }) => isAnswer(entry))
        const anchor = entries.slice(0, index).findLastIndex(isAnchor)
        const named = (name: string, found: { readonly entry: Entry } | undefined) =>
          found === undefined ? {} : { [name]: neighbourOf(found.entry) }
        return {
          ...named(
            'previous',
            answers.findLast(({ at }) => at < index),
          ),
          ...named(
            'next',
            answers.find(({ at }) => at > index),
          ),
          ...named(
            'beforeWindow',
            answers.findLast(({ at }) => at < anchor),
          ),
        }
      },
    },
  }
}

const tools = [
  {
    name: 'read_file',
    description: 'Reads lines of a file inside the folders that are allowed.',
    parameters: JSON.stringify(
      { type: 'object', properties: { path: { type: 'string' } } },
      null,
      2,
    ),
    tokens: 84,
  },
  { name: 'run', description: 'Runs a command.', tokens: 31 },
]

function isAnswer({ entry_type, role }: Entry): boolean {
  return entry_type === 'tool_call' || (entry_type === 'message' && role === 'agent')
}

function windowBefore(entries: readonly Entry[], index: number): readonly Entry[] {
  const before = entries.slice(0, index)
  return before.slice(before.findLastIndex(isAnchor) + 1)
}

function system(key: string): SentMessage {
  const text = `You are a careful engineer. Answer in the language you are asked in.\n\nThe context is called ${key}.`
  return { role: 'system', text, calls: [], images: 0, tokens: 26, entryIds: [] }
}

function messageOf(entry: Entry): SentMessage {
  const isCall = entry.entry_type === 'tool_call'
  const id = entry.tool_call_id ?? entry.id
  return {
    role:
      entry.entry_type === 'tool_result' ? 'tool' : entry.role === 'user' ? 'user' : 'assistant',
    text: isCall ? '' : entry.content,
    calls: isCall ? [{ id, name: entry.to, arguments: entry.content }] : [],
    ...(entry.entry_type === 'tool_result' ? { callId: id } : {}),
    images: 0,
    tokens: Math.ceil(entry.content.length / 4),
    entryIds: [entry.id],
  }
}

function neighbourOf(entry: Entry): SentNeighbour {
  return { entryId: entry.id, atMs: msOf(entry), words: entry.content.slice(0, 80) }
}

function msOf({ timestamp }: Entry): number | null {
  return timestamp === null ? null : timestamp * 1000
}
