import { type JsonEvents, type JsonKind, JsonWalker } from './json-walker'
import type { DocumentShape, Fact, FoundElement, FoundRecord, MemberPath } from './shape'

/** Options of a scan: what it looks for. */
export interface ScanOptions {
  /** The bytes are one element, and not a document of them. */
  readonly isElement?: boolean
}

/** A part of an element while it is scanned. */
interface OpenElement {
  readonly start: number
  readonly facts: Record<string, Fact>
  readonly records: FoundRecord[]
  isConversation: boolean
  headEnd: number
  tailStart: number | undefined
  restStart: number
}

interface OpenRecord {
  readonly start: number
  id: string | undefined
  parent: string | null | undefined
  time: number | undefined
}

/** Levels below an element: its members, its records, their members, and members of those. */
const levels = 4

/** Finds the conversations in a JSON document, piece by piece. Holds the places of the records of one. */
export class ElementScan implements JsonEvents {
  /** Those that were found since they were last taken, in the document's order. */
  private found: FoundElement[] = []
  private readonly walker: JsonWalker
  private readonly shape: DocumentShape
  private readonly options: ScanOptions
  /** The depth of elements: in a list, or the document itself. */
  private level = 0
  private readonly names: (string | undefined)[] = []
  private readonly kinds: JsonKind[] = []
  private element: OpenElement | undefined
  private record: OpenRecord | undefined
  private isInRecords = false

  constructor(shape: DocumentShape, options: ScanOptions = {}) {
    this.shape = shape
    this.options = options
    this.walker = new JsonWalker(this, levels + (options.isElement === true ? 0 : 1))
  }

  /** Takes the next piece, which begins at offset `base`; returns the elements that end in it. */
  feed(piece: Buffer, base: number): readonly FoundElement[] {
    this.walker.feed(piece, base)
    return this.take()
  }

  /** Ends the scan at the end of the document; returns what is left, of which the last may be torn. */
  finish(at: number): readonly FoundElement[] {
    this.walker.finish(at)
    if (this.element !== undefined) this.endElement(at, true)
    return this.take()
  }

  /** True while a list of elements has not ended. */
  get isInList(): boolean {
    return this.level === 1 && this.walker.isOpen
  }

  /** @internal called by the walker */
  key(depth: number, name: string | undefined, at: number): void {
    this.names[depth] = name
    const { element } = this
    if (element === undefined || depth !== this.level + 1) return
    if (element.isConversation && !this.isInRecords) element.tailStart ??= at
  }

  /** @internal called by the walker */
  begin(depth: number, kind: JsonKind, at: number): boolean {
    this.kinds[depth] = kind
    if (depth === 0) this.level = kind === 'array' && this.options.isElement !== true ? 1 : 0
    const isNested = kind === 'object' || kind === 'array'
    switch (depth - this.level) {
      case 0:
        this.element = {
          start: at,
          facts: {},
          records: [],
          isConversation: false,
          headEnd: at + 1,
          tailStart: undefined,
          restStart: at + 1,
        }
        return false
      case 1: {
        const { element } = this
        const name = this.names[depth]
        if (element === undefined || this.kinds[this.level] !== 'object') return false
        if (isNested && name === this.shape.records && !element.isConversation) {
          element.isConversation = true
          this.isInRecords = true
        }
        return !isNested && name !== undefined && this.shape.facts.includes(name)
      }
      case 2:
        if (this.isInRecords)
          this.record = { start: at, id: undefined, parent: undefined, time: undefined }
        return false
      case 3:
      case 4:
        return this.record !== undefined && !isNested && this.fieldAt(depth) !== undefined
      default:
        return false
    }
  }

  /** @internal called by the walker */
  end(depth: number, at: number, text: string | undefined): void {
    const { element, record } = this
    switch (depth - this.level) {
      case 0:
        if (element !== undefined) this.endElement(at, false)
        return
      case 1: {
        if (element === undefined) return
        const name = this.names[depth]
        if (text !== undefined && name !== undefined)
          element.facts[name] = factOf(text, this.kinds[depth])
        this.isInRecords = false
        if (!element.isConversation) {
          element.headEnd = at
          element.restStart = at
        }
        return
      }
      case 2:
        if (record !== undefined) this.endRecord(at)
        return
      case 3:
      case 4: {
        if (record === undefined || text === undefined) return
        const field = this.fieldAt(depth)
        const fact = factOf(text, this.kinds[depth])
        if (field === 'id' && typeof fact === 'string') record.id = fact
        if (field === 'parent') record.parent = typeof fact === 'string' ? fact : null
        if (field === 'time') record.time = timeOf(fact)
        return
      }
    }
  }

  private take(): readonly FoundElement[] {
    const { found } = this
    this.found = []
    return found
  }

  /** The field of a record whose value is at this depth, by the names above it. */
  private fieldAt(depth: number): 'id' | 'parent' | 'time' | undefined {
    const { id, parent, time } = this.shape.record
    const inside = depth - this.level
    const outer = this.names[this.level + 3]
    const inner = this.names[this.level + 4]
    const is = ([name, nested]: MemberPath) =>
      nested === undefined
        ? inside === 3 && outer === name
        : inside === 4 && outer === name && inner === nested
    if (is(id)) return 'id'
    if (is(parent)) return 'parent'
    return is(time) ? 'time' : undefined
  }

  private endRecord(at: number): void {
    const { element, record } = this
    this.record = undefined
    if (element === undefined || record === undefined) return
    element.restStart = at
    element.records.push({ ...record, end: at })
  }

  private endElement(end: number, isTorn: boolean): void {
    const { element } = this
    this.element = undefined
    this.record = undefined
    this.isInRecords = false
    if (element !== undefined) this.found.push({ ...element, end, isTorn })
  }
}

function factOf(text: string, kind: JsonKind | undefined): Fact {
  if (kind === 'string') return text
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return Number.isNaN(number) ? undefined : number
}

function timeOf(fact: Fact): number | undefined {
  if (typeof fact === 'number') return Number.isFinite(fact) ? fact : undefined
  if (typeof fact !== 'string') return undefined
  const ms = Date.parse(fact)
  return Number.isNaN(ms) ? undefined : ms / 1000
}
