import type { JsonObject } from '../../../shared/model/basics/json-object'
import { textOrUndefined, toList } from '../wire/json-fields'
import { isKeepable } from '../wire/returned'

/** The name of the field of `metadata.returned` that keeps the items of an answer. */
export const outputField = 'response_output'

/** More than any search or script of the server's takes that is not a picture. In characters of JSON. */
const mostOfItem = 16 * 1024

/** A keeper of the items of an answer that go back to the server that gave it. */
export interface OutputItemKeeper {
  /**
   * Takes an item that is done, in the order of the answer; it may come again with the whole response. Gives the
   * fields to keep: nothing while the answer is words and calls alone, of which all is known.
   *
   * @param index its number in the answer
   * @param length of its words, in UTF-16 units
   */
  take(item: JsonObject, index: number, length: number): JsonObject | undefined
}

/**
 * Returns a keeper that keeps reasoning as it came, also encrypted, the work of the server's tools, and the places
 * of text and calls between them. Text and calls themselves have entries of their own.
 */
export function openOutputItemKeeper(): OutputItemKeeper {
  let waiting: JsonObject[] = []
  let hasMore = false
  const taken = new Set<string>()
  return {
    take(item, index, length) {
      const keys = keysOf(item, index)
      const isTaken = keys.some((key) => taken.has(key))
      for (const key of keys) taken.add(key)
      if (isTaken) return undefined
      const kept = keptItem(item, length)
      if (kept === undefined) return undefined
      hasMore ||= !(kept.type === 'function_call' || (kept.type === 'message' && !kept.phase))
      waiting.push(kept)
      if (!hasMore) return undefined
      const fields = { [outputField]: waiting }
      waiting = []
      return fields
    },
  }
}

/** Names an item so that it is known again: some servers change ids on the way, others count otherwise at the end. */
function keysOf({ type, call_id: call, id }: JsonObject, index: number): readonly string[] {
  if (textOrUndefined(call) !== undefined) return [`${type} of ${call}`]
  return [`${type} ${index}`, ...(textOrUndefined(id) === undefined ? [] : [`id ${id}`])]
}

function keptItem(item: JsonObject, length: number): JsonObject | undefined {
  const { type, status: _, ...fields } = item
  const phase = textOrUndefined(item.phase)
  if (type === 'message') return { type, length, ...(phase === undefined ? {} : { phase }) }
  if (type === 'function_call') return { type, call_id: item.call_id }
  if (type === 'reasoning') return reasoning(item)
  // A picture is an attachment of the entry; its megabytes do not go back and forth.
  if (typeof type !== 'string' || type === 'image_generation_call' || !isKeepable(item))
    return undefined
  return JSON.stringify(item).length > mostOfItem ? undefined : { type, ...fields, ...status(item) }
}

/** Keeps the status: servers want to know that such work is over. */
function status({ status: value }: JsonObject): JsonObject {
  return value === undefined ? {} : { status: value }
}

/**
 * Keeps reasoning that has more than its id: a server that stores nothing looks for that in vain, and refuses the
 * request.
 */
function reasoning(item: JsonObject): JsonObject | undefined {
  const { id, encrypted_content: encrypted } = item
  const content = toList(item.content)
  if (textOrUndefined(encrypted) === undefined && content.length === 0) return undefined
  const kept = {
    type: 'reasoning',
    ...(textOrUndefined(id) === undefined ? {} : { id }),
    summary: toList(item.summary),
    ...(content.length === 0 ? {} : { content }),
    ...(textOrUndefined(encrypted) === undefined ? {} : { encrypted_content: encrypted }),
  }
  return isKeepable(kept) ? kept : undefined
}
