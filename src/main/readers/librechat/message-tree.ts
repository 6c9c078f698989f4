import type { DiskFile } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { type JsonEvents, type JsonKind, JsonWalker } from '../../records/document/json-walker'
import type { Stretch } from '../../records/lines/composed-line'

/** A message in an export, in bytes: its own members around those that follow it (`children`). */
export interface FoundMessage {
  readonly start: number
  /** What stands among messages and is none. */
  readonly isStray: boolean
  readonly hasChildren: boolean
  /** The end of the last member before its children. */
  readonly headEnd: number
  /** The members behind its children. */
  readonly tail: Stretch | undefined
  /** Undefined where the document ends inside of it. */
  readonly end: number | undefined
  readonly id: string | undefined
  /** As it is written: ISO 8601. */
  readonly createdAt: string | undefined
}

/** An export, as a scan finds it. */
export interface ScannedExport {
  readonly start: number
  /** The conversation's own members before its messages, and behind them. */
  readonly headEnd: number
  readonly tail: Stretch | undefined
  readonly facts: ReadonlyMap<string, string>
  /** Each before those that follow it, and what stands among them. */
  readonly messages: readonly FoundMessage[]
  /** What a document that is not whole has behind its last whole part, unless that is a message: part of its members, or of a message's. */
  readonly rest: Stretch | undefined
  /** Where the document ends that is not whole. */
  readonly tornAt: number | undefined
  /** The end of the document's value. */
  readonly end: number
}

interface OpenMessage {
  readonly start: number
  readonly isStray: boolean
  readonly depth: number
  headEnd: number
  tailStart: number | undefined
  tail: Stretch | undefined
  end: number | undefined
  id: string | undefined
  createdAt: string | undefined
  hasChildren: boolean
  isInChildren: boolean
  childrenEnd: number | undefined
}

const pieceBytes = 256 * 1024
/** A message and its list of children are two levels: conversations of tens of thousands of turns. */
const deepest = 100_000
const lists: ReadonlySet<string | undefined> = new Set(['messages', 'messagesTree'])
const messageFields: ReadonlySet<string | undefined> = new Set(['messageId', 'createdAt'])
const wanted: ReadonlySet<string | undefined> = new Set([
  'conversationId',
  'title',
  'endpoint',
  'exportAt',
])

/**
 * Finds the messages of an export, in a list or as a tree of children, in one pass. Holds their places. Undefined for a document that
 * is none.
 *
 * @throws DiskError
 */
export async function scanExport(document: DiskFile): Promise<ScannedExport | undefined> {
  const scan = new ExportScan()
  const walker = new JsonWalker(scan, deepest)
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  let at = 0
  for (;;) {
    const got = await document.read(piece, at)
    if (got === 0) break
    if (at === 0 && got >= 3 && piece.readUIntBE(0, 3) === 0xefbbbf) piece.fill(0x20, 0, 3)
    walker.feed(piece.subarray(0, got), at)
    at += got
    // Documents of other systems are not read to their ends.
    if (!scan.isOurs && at > 1024 * 1024) return undefined
    await yieldToOthers(got)
  }
  walker.finish(at)
  return scan.found(at)
}

/** The messages that are open at a place, from the outermost one in. */
class ExportScan implements JsonEvents {
  private isExport = false
  private readonly facts = new Map<string, string>()
  private readonly messages: OpenMessage[] = []
  private readonly open: OpenMessage[] = []
  private readonly names: (string | undefined)[] = []
  private kind: JsonKind | undefined
  private isInList = false
  private listEnd: number | undefined
  private start = 0
  private headEnd = 1
  private tailStart: number | undefined
  private ended: number | undefined

  /** True for what has messages, or says of itself what exports do. */
  get isOurs(): boolean {
    return this.isExport || (this.facts.has('conversationId') && this.facts.has('exportAt'))
  }

  found(at: number): ScannedExport | undefined {
    if (!this.isOurs || this.kind !== 'object') return undefined
    const { start, headEnd, facts, messages } = this
    const tornAt = this.ended === undefined ? at : undefined
    const end = this.ended ?? at
    const { tailStart } = this
    const isTold = tailStart !== undefined && tornAt === undefined
    const tail = isTold ? { start: tailStart, end } : undefined
    const restStart = tornAt === undefined ? undefined : this.restStart()
    const rest = restStart === undefined || restStart >= at ? undefined : { start: restStart, end }
    return { start, headEnd, facts, messages, tornAt, end, tail, rest }
  }

  /** Where the last whole part ends; undefined inside of a message's own members, which are told with it, and between messages. */
  private restStart(): number | undefined {
    const message = this.open.at(-1)
    if (message !== undefined) return message.tailStart ?? message.childrenEnd
    if (!this.isExport) return this.headEnd
    return this.tailStart ?? this.listEnd
  }

  key(depth: number, name: string | undefined, at: number): void {
    // What stands behind the document is no part of it.
    if (this.ended !== undefined) return
    this.names[depth] = name
    const message = this.open.at(-1)
    if (message === undefined) {
      if (depth === 1 && this.isExport) this.tailStart ??= at
    } else if (depth === message.depth + 1 && message.hasChildren) message.tailStart ??= at
  }

  begin(depth: number, kind: JsonKind, at: number): boolean {
    if (this.ended !== undefined) return false
    if (depth === 0) {
      this.kind ??= kind
      this.start = at
      this.headEnd = at + 1
      return false
    }
    const message = this.open.at(-1)
    if (message === undefined) {
      if (depth === 1 && kind === 'array' && lists.has(this.names[1]) && !this.isExport) {
        this.isExport = true
        this.isInList = true
      } else if (depth === 2 && this.isInList) return this.beginMessage(depth, kind, at)
      return depth === 1 && kind === 'string' && wanted.has(this.names[1])
    }
    const inside = depth - message.depth
    if (
      !message.isStray &&
      inside === 1 &&
      kind === 'array' &&
      this.names[depth] === 'children' &&
      !message.hasChildren
    ) {
      message.hasChildren = true
      message.isInChildren = true
    } else if (inside === 2 && message.isInChildren) return this.beginMessage(depth, kind, at)
    return (
      !message.isStray && inside === 1 && kind === 'string' && messageFields.has(this.names[depth])
    )
  }

  end(depth: number, at: number, text: string | undefined): void {
    if (this.ended !== undefined) return
    if (depth === 0) this.ended = at
    const message = this.open.at(-1)
    if (message === undefined) {
      if (depth !== 1) return
      const name = this.names[1]
      if (text !== undefined && name !== undefined) this.facts.set(name, text)
      if (this.isInList) this.listEnd = at
      this.isInList = false
      if (!this.isExport) this.headEnd = at
    } else if (depth === message.depth) {
      message.end = at
      if (message.tailStart !== undefined) message.tail = { start: message.tailStart, end: at }
      this.open.pop()
      // Nothing is what some programs leave of what they delete.
      if (message.isStray && text === 'null') this.messages.pop()
    } else if (depth === message.depth + 1) {
      if (message.isInChildren) message.childrenEnd = at
      message.isInChildren = false
      const name = this.names[depth]
      if (text !== undefined && name === 'messageId') message.id = text
      if (text !== undefined && name === 'createdAt') message.createdAt = text
      if (!message.hasChildren) message.headEnd = at
    }
  }

  /** Returns true where the text is needed: that of a word, which may be `null`. */
  private beginMessage(depth: number, kind: JsonKind, start: number): boolean {
    const message: OpenMessage = {
      start,
      isStray: kind !== 'object',
      depth,
      headEnd: start + 1,
      tailStart: undefined,
      tail: undefined,
      end: undefined,
      id: undefined,
      createdAt: undefined,
      hasChildren: false,
      isInChildren: false,
      childrenEnd: undefined,
    }
    this.messages.push(message)
    this.open.push(message)
    return kind === 'other'
  }
}
