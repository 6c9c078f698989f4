import { z } from 'zod'
import { isJsonObject } from '../../../shared/model/basics/json-object'

const Named = z.looseObject({ id: z.string().optional(), name: z.string().optional() })
const Pointer = z.looseObject({ asset_pointer: z.string() })

/**
 * Returns what came with a message, once each: the files that it names, and what its content points to. Each has a
 * `filename`: the name that it was given, else its id, which is the beginning of its file's name in the export.
 */
export function attachmentsOf(
  parts: readonly unknown[],
  named: unknown,
): readonly Readonly<Record<string, unknown>>[] {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  const add = (id: string, one: Readonly<Record<string, unknown>>) =>
    found.set(id, { ...found.get(id), ...one })
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
  return [...found.values()]
}
