import { isJsonObject, type JsonObject } from '../../../../shared/model/basics/json-object'

/** A change of a chat, as a line of its log tells it. */
export type LogChange =
  /** The whole chat. */
  | { readonly type: 'all'; readonly value: JsonObject }
  /** A member is another value; without one it is gone. */
  | { readonly type: 'set'; readonly path: ChangePath; readonly value: unknown }
  /** A list ends before `cut`, where there is one, and goes on with new values. */
  | {
      readonly type: 'push'
      readonly path: ChangePath
      readonly values: readonly unknown[]
      readonly cut: number | undefined
    }

type ChangePath = readonly [string | number, ...(string | number)[]]

/** No member of a chat lies deeper. */
const longestPath = 64

/** Parses a line of a log; undefined for one that is no change, or of a kind that is not known. */
export function changeOf({ kind, k, v, i }: JsonObject): LogChange | undefined {
  if (kind === 0) return isJsonObject(v) ? { type: 'all', value: v } : undefined
  const path = pathOf(k)
  if (path === undefined) return undefined
  // A value that is undefined is no part of JSON.
  if (kind === 1) return { type: 'set', path, value: v }
  if (kind === 3) return { type: 'set', path, value: undefined }
  if (kind !== 2) return undefined
  const isList = v === undefined || v === null || Array.isArray(v)
  const isCut = i === undefined || (typeof i === 'number' && Number.isInteger(i) && i >= 0)
  if (!isList || !isCut) return undefined
  return { type: 'push', path, values: v ?? [], cut: typeof i === 'number' ? i : undefined }
}

/** Applies a change of a part to a chat; returns false, and changes nothing, where its place is not there. */
export function applyChange(chat: object, change: Exclude<LogChange, { type: 'all' }>): boolean {
  const { path } = change
  let holder: unknown = chat
  for (const key of path.slice(0, -1)) {
    const place = placeOf(holder, key)
    if (place === undefined) return false
    holder = place.get()
  }
  const place = placeOf(holder, path.at(-1) ?? '')
  if (place === undefined) return false
  if (change.type === 'set') return place.set(change.value)
  const list = place.get() ?? []
  if (!Array.isArray(list)) return false
  if (change.cut !== undefined && change.cut < list.length) list.length = change.cut
  for (const value of change.values) list.push(value)
  return place.set(list)
}

function pathOf(k: unknown): ChangePath | undefined {
  if (!Array.isArray(k) || k.length > longestPath) return undefined
  const path = k.filter((key) => typeof key === 'string' || typeof key === 'number')
  const [first, ...others] = path
  return first === undefined || path.length < k.length ? undefined : [first, ...others]
}

interface Place {
  get(): unknown
  /** False where it cannot be there. */
  set(value: unknown): boolean
}

/** The place of a member of an object or of an element of a list; undefined where there can be none. */
function placeOf(holder: unknown, key: string | number): Place | undefined {
  if (Array.isArray(holder)) {
    if (typeof key !== 'number' || !Number.isInteger(key) || key < 0 || key > holder.length)
      return undefined
    return {
      get: () => holder[key],
      set: (value) => {
        if (value === undefined) return false
        holder[key] = value
        return true
      },
    }
  }
  if (!isJsonObject(holder) || key === '__proto__') return undefined
  const members = holder as Record<string, unknown> // of a chat that was parsed from its log alone
  return {
    get: () => (Object.hasOwn(members, key) ? members[key] : undefined),
    set: (value) => {
      if (value === undefined) delete members[key]
      else members[key] = value
      return true
    },
  }
}
