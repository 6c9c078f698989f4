import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'

const Named = z.looseObject({ id: z.string().optional(), name: z.string().optional() })
const Pointer = z.looseObject({ asset_pointer: z.string() })

type Fields = Readonly<Record<string, unknown>>

/** Files that came with a message, as `metadata` has them. */
interface Attached {
  /** Each with the id of its file in the export as `asset`. */
  readonly images: readonly Fields[]
  readonly attachments: readonly Fields[]
}

/**
 * Returns what came with a message, once each: the files that it names, and what its content points to. Each has a
 * `filename`: the name that it was given, else its id, which is the beginning of its file's name in the export.
 */
export function chatgptAttached(parts: readonly unknown[], named: unknown): Attached {
  const found = new Map<string, Fields>()
  const add = (id: string, one: Fields) => found.set(id, { ...found.get(id), ...one })
  for (const one of Array.isArray(named) ? named : []) {
    const { id, name } = Named.safeParse(one).data ?? {}
    if (isJsonObject(one)) add(id ?? `${found.size}`, { ...one, filename: name ?? id ?? 'file' })
  }
  for (const part of parts) {
    const pointer = Pointer.safeParse(part).data?.asset_pointer
    const id = pointer?.replace(/^[a-z-]+:\/\//, '')
    if (!isJsonObject(part)) add(`${found.size}`, { value: part, filename: 'file' })
    else add(id ?? `${found.size}`, { filename: id ?? 'file', ...found.get(id ?? ''), ...part })
  }
  const all = [...found].map(([id, one]) => ({ id, one, isImage: isImage(one) }))
  return {
    images: all.flatMap(({ id, one, isImage: is }) => (is ? [{ ...one, asset: idOf(id) }] : [])),
    attachments: all.flatMap(({ one, isImage: is }) => (is ? [] : [one])),
  }
}

function isImage({ content_type: type, mime_type: mime, asset_pointer, id }: Fields): boolean {
  if (type === 'image_asset_pointer') return typeof asset_pointer === 'string'
  return typeof mime === 'string' && mime.startsWith('image/') && typeof id === 'string'
}

/** Without what a pointer has behind the id: the conversation it is shared from, a position. */
function idOf(id: string): string {
  return /^[\w-]+/.exec(id)?.[0] ?? id
}
