import type { Random } from '../../bench/support/random'
import { chunk, eventStream } from './raw-server'
import { type OutputItem, responseEvents } from './responses-events'
import { refusal, type Scenario, type Step } from './scripted-server'
import { chatRules } from './strict-chat'
import { responsesRules } from './strict-responses'

type Json = Readonly<Record<string, unknown>>

/** One answer of a model. */
export interface Saying {
  /** Its mark: unlike every other of the server. */
  readonly mark: string
  readonly thought: string
  readonly words: string
  readonly calls: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: string
  }[]
}

/** One of the APIs, as a strict server speaks it. */
export interface StrictApi {
  /** Lists what it refuses in a request, a sentence each. */
  faultsIn(body: Json): readonly string[]
  /** The answer as it is sent, in pieces that may be parted anywhere; its end is in the last one. */
  pieces(saying: Saying): readonly string[]
  /** The answer went out whole: what it gave is wanted back from now on. */
  gave(saying: Saying): void
}

const bodyKeys = new Set([
  ...['model', 'messages', 'tools', 'stream', 'stream_options', 'parallel_tool_calls'],
])
const messageKeys: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  tool: ['role', 'tool_call_id', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'reasoning_content'],
}

/**
 * Makes chat completions at their strictest: the rules of `chatRules`, no key that is not known, and the thoughts wanted back
 * beside calls, as DeepSeek and Moonshot want them.
 */
export function strictChat(): StrictApi {
  const thoughts = new Map<string, string>()
  return {
    faultsIn(body) {
      const messages: readonly Json[] = Array.isArray(body.messages) ? body.messages : []
      return [
        ...chatRules(body),
        ...unknownKeys('', body, bodyKeys),
        ...messages.flatMap((message, index) =>
          unknownKeys(`messages[${index}]`, message, new Set(messageKeys[String(message.role)])),
        ),
        ...messages.flatMap((message, index) => {
          const calls: readonly Json[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
          const wanted = calls.map(({ id }) => thoughts.get(String(id))).find(Boolean)
          const isLost = wanted !== undefined && message.reasoning_content !== wanted
          return isLost
            ? [`Missing \`reasoning_content\` field in the assistant message at index ${index}.`]
            : []
        }),
      ]
    },
    pieces: ({ thought, words, calls }) => {
      const told = calls.map(({ id, name, arguments: given }, index) =>
        chunk({
          tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }],
        }),
      )
      const halves = [words.slice(0, words.length / 2), words.slice(words.length / 2)]
      return [
        eventStream(chunk({ role: 'assistant', content: null })),
        ...(thought === '' ? [] : [eventStream(chunk({ reasoning_content: thought }))]),
        ...halves.filter((half) => half !== '').map((content) => eventStream(chunk({ content }))),
        ...told.map((one) => eventStream(one)),
        eventStream(chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'), '[DONE]'),
      ]
    },
    gave({ thought, calls }) {
      for (const { id } of calls) if (thought !== '') thoughts.set(id, thought)
    },
  }
}

/** Makes the Responses API at its strictest; see `responsesRules`. */
export function strictResponses(): StrictApi {
  const given = new Map<string, { readonly leadsTo?: string }>()
  return {
    faultsIn: (body) => responsesRules(body, given),
    pieces: ({ mark, thought, words, calls }) => {
      const reasoning: OutputItem = { type: 'reasoning', summary: [thought], encrypted: mark }
      // Reasoning of an answer that breaks off may come back as well.
      if (thought !== '') given.set(mark, {})
      const items: readonly OutputItem[] = [
        ...(words === '' ? [] : [{ type: 'message', text: words } as const]),
        ...(thought === '' ? [] : [reasoning]),
        ...calls.map((call) => ({ type: 'call', ...call }) as const),
      ]
      return responseEvents(calls.length > 0 ? items : [...items].reverse(), { piece: 12 })
    },
    gave({ mark, thought, calls: [first] }) {
      if (thought !== '') given.set(mark, first === undefined ? {} : { leadsTo: first.id })
    },
  }
}

/** Ways in which a request goes wrong. `loading`: a bad request whose words say nothing of it. `stopped`: the answer does not go on, and the person stops it. */
export const mischances = [
  'refused',
  'loading',
  'busy',
  'down',
  'cut',
  'reset',
  'silent reset',
  'empty',
  'stopped',
] as const
export type Mischance = (typeof mischances)[number]

/** Request, and what a server did with it. */
export interface ServedRequest {
  readonly body: Json
  readonly faults: readonly string[]
  readonly mischance: Mischance | undefined
  readonly saying: Saying | undefined
}

/**
 * Makes the script of a strict server whose failures and answers are drawn.
 *
 * @param next draws what goes wrong with the next request
 */
export function drawnScenario(
  api: StrictApi,
  random: Random,
  next: () => Mischance | undefined,
  served: ServedRequest[],
): Scenario {
  const broken = (body: Json, mischance: Mischance, saying?: Saying) =>
    served.push({ body, faults: [], mischance, saying })
  return ({ body }, n) => {
    const faults = api.faultsIn(body)
    if (faults.length > 0) {
      served.push({ body, faults, mischance: undefined, saying: undefined })
      return refusal(400, faults.join(' '))
    }
    const drawn = next()
    const saying = drawSaying(random, n, offersTools(body))
    // Who sees nothing of an answer does not stop it.
    const mischance = drawn === 'stopped' && saying.words + saying.thought === '' ? 'cut' : drawn
    const pieces = api.pieces(saying)
    const [, ...inner] = pieces.slice(0, -1)
    const some = pieces.slice(0, 1 + random.below(Math.max(1, inner.length)))
    const ends: Readonly<Record<Mischance, () => ReturnType<Scenario>>> = {
      refused: () => refusal(403, 'Not at this hour.'),
      loading: () => refusal(400, 'The model is still loading.'),
      busy: () => refusal(429, 'Too many requests.', { 'retry-after': '0' }),
      down: () => refusal(503, 'No model is free.'),
      cut: () => ({ steps: some }),
      reset: () => ({ steps: [...some, 'reset'] }),
      'silent reset': () => ({ steps: ['reset'] }),
      empty: () => ({ steps: api.pieces({ ...saying, thought: '', words: '', calls: [] }) }),
      stopped: () => ({ steps: [...pieces.slice(0, -1), 'hang'] }),
    }
    if (mischance !== undefined) {
      broken(body, mischance, saying)
      return ends[mischance]()
    }
    api.gave(saying)
    served.push({ body, faults, mischance, saying })
    const steps: Step[] = [...pieces]
    return { steps }
  }
}

function offersTools({ tools }: Json): boolean {
  return Array.isArray(tools) && tools.length > 0
}

/** Draws words in three of four answers, thoughts in two of three, calls in half of them. */
function drawSaying(random: Random, n: number, mayCall: boolean): Saying {
  const count = mayCall && random.below(2) === 0 ? 1 + random.below(3) : 0
  const words = count === 0 || random.below(2) === 0 ? `Answer ${n}: ${'so it is. '.repeat(3)}` : ''
  return {
    mark: `enc_${n}`,
    thought: random.below(3) === 0 ? '' : `Thought ${n}.`,
    words: words.trim(),
    calls: Array.from({ length: count }, (_, at) => ({
      id: `call_${n}_${at}`,
      name: random.pick(['update_todos', 'update_goals']),
      arguments: JSON.stringify({ content: `- ${n}.${at}` }),
    })),
  }
}

function unknownKeys(where: string, fields: Json, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(fields)
    .filter((key) => !known.has(key))
    .map((key) => `${where}: Extra inputs are not permitted: ${key}.`)
}
