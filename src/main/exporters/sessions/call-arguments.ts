import { deepestLine, isDeeperThan } from '../../../shared/model/basics/json-depth'
import { isJsonObject } from '../../../shared/model/basics/json-object'
import { wellFormed, wellFormedJson } from '../../../shared/model/basics/well-formed'
import type { Entry } from '../../../shared/model/conversation/entry'
import { JsonText } from './session-json'

/** Arguments of a call as a session has them. */
export interface SessionArguments {
  /** An object. */
  readonly json: JsonText
  /** They were none, and are now the field `input` of one. */
  readonly isWrapped: boolean
  /** Escapes of halves of characters became U+FFFD. */
  readonly isMended: boolean
}

/** Levels of nesting below which every reader can take the line around the arguments. */
const deepest = deepestLine - 10

/**
 * Returns a call's arguments as an object: its own text, so that numbers beyond 2^53 keep their digits. Text that is no object, and an
 * object that is nested too deeply for a line, become the field `input` of one.
 */
export function callArguments({ content }: Pick<Entry, 'content'>): SessionArguments {
  if (content.trim() === '') return { json: new JsonText('{}'), isWrapped: false, isMended: false }
  try {
    const value: unknown = JSON.parse(content)
    if (isJsonObject(value) && !isDeeperThan(value, deepest)) {
      const line = inOneLine(content)
      const json = withoutHalves(line)
      return { json: new JsonText(json), isWrapped: false, isMended: json !== line }
    }
  } catch {
    // As a model streamed them: broken arguments stay readable as text.
  }
  const json = new JsonText(wellFormedJson({ input: content }))
  return { json, isWrapped: true, isMended: false }
}

/** In JSON, these three stand between values alone. */
function inOneLine(json: string): string {
  return json.replace(/[\t\n\r]/g, '')
}

/** A whole pair, or any other escape: one behind a backslash that is itself escaped is none. */
const escapes = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|[^u])/gi

/** Providers refuse a request with a half, also as an escape. */
function withoutHalves(json: string): string {
  const mended = json.replace(escapes, (one) => (/^\\ud[89a-f]..$/i.test(one) ? '\\ufffd' : one))
  return wellFormed(mended)
}
