import type { FinishReason } from '../chat/provider'
import { objectOf, textOrUndefined } from './json-fields'

/** The end of an answer, by its server's own reason. */
export interface Finish {
  readonly reason: FinishReason
  /** The server's own word, where the answer is not whole. */
  readonly word?: string
}

/** The meaning of a finish reason; `error` is a failure, undefined means that the answer continues. */
export type ParsedFinish = Finish | 'error' | undefined

/** The words in use, in lower case and without a prefix, by what they mean. Those that are not here mark the answer. */
const meanings: Readonly<Record<string, FinishReason | 'error' | 'none'>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  stopped: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end: 'stop',
  end_turn: 'stop',
  end_of_text: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  finish: 'stop',
  finished: 'stop',
  success: 'stop',
  length: 'length',
  max_length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  max_new_tokens: 'length',
  model_length: 'length',
  token_limit: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'filtered',
  content_filtered: 'filtered',
  content_policy: 'filtered',
  sensitive: 'filtered',
  safety: 'filtered',
  image_safety: 'filtered',
  recitation: 'filtered',
  blocklist: 'filtered',
  prohibited_content: 'filtered',
  spii: 'filtered',
  refusal: 'filtered',
  guardrail_intervened: 'filtered',
  tool_calls: 'tool-calls',
  tool_call: 'tool-calls',
  tool_use: 'tool-calls',
  function_call: 'tool-calls',
  error: 'error',
  null: 'none',
  none: 'none',
  undefined: 'none',
  unspecified: 'none',
  in_progress: 'none',
  not_finished: 'none',
}

/** OpenAI's own words for a broken answer say no more than the reason does. */
const usual: ReadonlySet<string> = new Set(['length', 'content_filter'])

/**
 * Parses a `finish_reason`: a word, or an object that holds one. Undefined where the answer continues: for null, the
 * word "null", and anything that is no word. An unknown word ends the answer and marks it as not whole.
 */
export function parseFinish(reason: unknown): ParsedFinish {
  const value = objectOf(reason)
  const word = textOrUndefined(
    value === undefined ? reason : (value.type ?? value.reason ?? value.value),
  )
  if (word === undefined) return undefined
  const plain = word.trim()
  const meaning = meanings[plain.toLowerCase().replace(/^finish_?reason_/, '')]
  switch (meaning) {
    case 'none':
      return undefined
    case 'error':
    case 'stop':
    case 'tool-calls':
      return meaning === 'error' ? 'error' : { reason: meaning }
    case undefined:
      return { reason: 'broken', word: plain.slice(0, 100) }
    default:
      return usual.has(plain) ? { reason: meaning } : { reason: meaning, word: plain.slice(0, 100) }
  }
}
