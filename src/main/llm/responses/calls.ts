import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { CallPiece } from '../wire/call-pieces'
import { argumentsText } from '../wire/chunks'
import { textOrUndefined } from '../wire/json-fields'
import type { TextAccount } from './text-account'

/** Account of an answer's calls: each comes out once, under whatever numbers its item comes. */
export interface CallAccount {
  /**
   * Returns the id and the name of a call, once. Its arguments may be there already and come again in deltas: they
   * wait.
   */
  begin(item: JsonObject, index: number): readonly CallPiece[]
  /**
   * Returns a piece of the arguments of the call that began last under the number of an item. Of a call that has not
   * begun only the whole item says whose they are.
   */
  add(index: number, text: string): readonly CallPiece[]
  /** Returns what has not come out yet of all arguments of that call. */
  done(index: number, given: unknown): readonly CallPiece[]
  /** Returns what has not come out yet of a whole call. */
  whole(item: JsonObject, index: number): readonly CallPiece[]
  hasBegun(): boolean
}

/** Returns an empty account over the texts that came out so far. */
export function callAccount(texts: TextAccount): CallAccount {
  /** Calls by their ids, numbered as they began. */
  const begun = new Map<string, number>()
  /** The call that began last under the number of an item. */
  const at = new Map<number, number>()
  const placeOf = (call: number) => ({ item: call, part: 0 })

  function begin(item: JsonObject, index: number, key: string): readonly CallPiece[] {
    if (begun.has(key)) return []
    const call = begun.size
    begun.set(key, call)
    at.set(index, call)
    return [{ index: call, id: idOf(item), name: textOrUndefined(item.name) ?? '', arguments: '' }]
  }

  return {
    begin: (item, index) => begin(item, index, keyOf(item, index)),
    add(index, text) {
      const call = at.get(index)
      if (call === undefined) return []
      return argumentsPiece(call, texts.add('arguments', placeOf(call), text))
    },
    done(index, given) {
      const call = at.get(index)
      if (call === undefined) return []
      const rest = texts.whole('arguments', placeOf(call), argumentsText(given))
      return argumentsPiece(call, rest)
    },
    whole(item, index) {
      const text = argumentsText(item.arguments)
      let key = keyOf(item, index)
      const first = begin(item, index, key)
      // Other arguments under the same id are those of another call.
      if (!texts.isOf('arguments', placeOf(begun.get(key) ?? 0), text)) key = `${key} ${text}`
      const other = begin(item, index, key)
      const call = begun.get(key) ?? 0
      const rest = texts.whole('arguments', placeOf(call), text)
      return [...first, ...other, ...argumentsPiece(call, rest)]
    },
    hasBegun: () => begun.size > 0,
  }
}

function argumentsPiece(index: number, text: string): readonly CallPiece[] {
  return text === '' ? [] : [{ index, id: '', name: '', arguments: text }]
}

function keyOf(item: JsonObject, index: number): string {
  const id = idOf(item)
  return id === '' ? `at ${index}` : id
}

function idOf(item: JsonObject): string {
  return textOrUndefined(item.call_id) ?? textOrUndefined(item.id) ?? ''
}
