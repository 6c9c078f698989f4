import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { SubagentOrigin } from '../../../shared/model/family/family'
import type { Disk } from '../../disk/interface/disk'
import { identityOf, recordNameOf } from '../../records/document/document-format'
import type { DocumentIndexes, DocumentSource, IndexedElement } from './document-index'
import { type FoundDocument, findDocuments } from './find-documents'
import { glanceOf } from './glance'
import type { LookElsewhere, SourceRef } from './reader'

/** The head of a conversation in an export: what a list shows of it. */
export interface ConversationHead {
  /** The system's own id; undefined where it has none. */
  readonly id: string | undefined
  /** Empty where it has none. */
  readonly title: string
  readonly project: string | null
  /** Unix seconds. */
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  /** Of answers that name none. */
  readonly model: string | undefined
  /** For the conversation of a subagent: where it was called. */
  readonly subagentOf?: SubagentOrigin | undefined
}

/** A source of exports, with what a list needs of its conversations. */
export interface ListedDocuments extends DocumentSource {
  readonly indexes: DocumentIndexes
  readonly headOf: (facts: IndexedElement['facts']) => ConversationHead
  /** Names of its documents in folders and zips, besides `conversations.json` and its parts. */
  readonly names?: RegExp | undefined
  /** Returns the name of a conversation that has none but that of its document, by the document's place: its title, and its key where no other place has the same. */
  readonly nameOf?: ((file: string) => string) | undefined
}

interface Copy {
  readonly document: FoundDocument
  readonly element: IndexedElement
  readonly head: ConversationHead
}

/**
 * Lists the conversations of all exports under a root, by their places. Of one that several exports hold the last
 * updated copy is listed, and of equal ones the first.
 *
 * @throws AppError `unreadable` a document cannot be read to its end; what can be read is listed before
 */
export async function* listDocuments(
  by: ListedDocuments,
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const found = await findDocuments(root, disk, signal, by.names)
  const seen = found.documents.map(({ file, stat }) => ({
    path: path.join(found.root, file),
    stat,
  }))
  const indexes = await by.indexes.of(seen, disk, signal, elsewhere)
  const faults = [...found.faults]
  const copies = new Map<string, Copy>()
  const keys = new NamedKeys()
  for (const [at, document] of found.documents.entries()) {
    const index = indexes[at]
    if (index === undefined) faults.push(`${document.file} cannot be read.`)
    if (index?.fault !== undefined) faults.push(`${document.file}: ${index.fault}.`)
    for (const [nth, element] of (index?.elements ?? []).entries()) {
      const own = by.headOf(element.facts)
      const name = by.nameOf?.(document.file)
      const head = name === undefined ? own : { ...own, title: name }
      const named = name === undefined ? undefined : keys.of(name, document.file, nth)
      const key = head.id ?? named ?? `${document.file}@${element.start}`
      const copy = { document: { ...document, stat: index?.stat ?? document.stat }, element, head }
      if (isNewer(copy, copies.get(key))) copies.set(key, copy)
    }
  }
  const place = found.root === root ? {} : { isAlone: true as const }
  for (const [key, copy] of copies) yield { ...refOf(by, found.root, key, copy), ...place }
  const [first] = faults
  if (first !== undefined) throw new AppError('unreadable', first, { detail: faults.join('\n') })
}

/** Keys of conversations that have no id but a name: of several places with one name, the later ones have theirs in the key. */
class NamedKeys {
  private readonly known = new Map<string, string>()
  private readonly taken = new Set<string>()

  /** @param nth of the document */
  of(name: string, file: string, nth: number): string {
    // At the same place in another zip is another copy of the same.
    const inside = file.indexOf('/!/')
    const place = `${inside < 0 ? file : file.slice(inside)}@${nth}`
    const whole = file.replace('/!/', '/')
    const key =
      this.known.get(place) ??
      [name, whole].find((one) => !this.taken.has(one)) ??
      `${whole}@${nth}`
    this.known.set(place, key)
    this.taken.add(key)
    return key
  }
}

function isNewer({ head, element }: Copy, before: Copy | undefined): boolean {
  if (before === undefined) return true
  // Half of a conversation never stands for a whole one.
  if (element.isTorn !== before.element.isTorn) return before.element.isTorn
  const time = head.updatedAt ?? element.lastAt ?? 0
  const timeBefore = before.head.updatedAt ?? before.element.lastAt ?? 0
  return time === timeBefore ? element.bytes > before.element.bytes : time > timeBefore
}

function refOf(
  { source, shape }: DocumentSource,
  root: string,
  key: string,
  { document, element, head }: Copy,
): SourceRef {
  const { bytes, isTorn, lastAt } = element
  const { mtimeMs } = document.stat
  const name = recordNameOf(element)
  const file = `${document.file}/!${shape.id}/${name}`
  const identity = identityOf(document.stat, name)
  const updatedAtMs = head.updatedAt === undefined ? mtimeMs : head.updatedAt * 1000
  const ref = {
    source,
    root,
    key,
    files: [{ file, bytes, mtimeMs, identity }],
    bytes,
    updatedAtMs,
  }
  const sentence = `${document.file} ends inside of this conversation: the rest is missing.`
  const part = { file: document.file, fromByte: element.end, cause: 'damaged', sentence } as const
  return {
    ...ref,
    ...(isTorn ? { unread: [part] } : {}),
    // Without a title it is its first words, and without times they are to be found.
    ...(head.title === '' || lastAt === undefined || head.createdAt === undefined
      ? {}
      : { glance: glanceOf(ref, head, lastAt) }),
  }
}
