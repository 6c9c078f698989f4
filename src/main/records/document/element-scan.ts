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
  tailDepth: number
  restStart: number
}

interface OpenRecord {
  readonly start: number
  id: string | undefined
  parent: string | null | undefined
  time: number | undefined
}

type RecordField = 'id' | 'parent' | 'time'

/** The level of elements in what stands behind a document's value: no part is as deep. */
const nowhere = Number.POSITIVE_INFINITY

/** Finds the conversations in a JSON document, piece by piece. Holds the places of the records of one. */
export class ElementScan implements JsonEvents {
  /** Those that were found since they were last taken, in the document's order. */
  private found: FoundElement[] = []
  private readonly walker: JsonWalker
  private readonly shape: DocumentShape
  private readonly options: ScanOptions
  /** Names of the members around the records of an element, the last one holds them. */
  private readonly holders: readonly string[]
  private readonly facts: readonly { readonly name: string; readonly path: MemberPath }[]
  private readonly fields: readonly (readonly [field: RecordField, path: MemberPath])[]
  /** The depth of elements: in a list, or the document itself. */
  private level = 0
  private isListOpen = false
  /** How many of those members are open, without the last. */
  private opened = 0
  private readonly names: (string | undefined)[] = []
  private readonly kinds: JsonKind[] = []
  private element: OpenElement | undefined
  private record: OpenRecord | undefined
  private isInRecords = false
  private valueEnd: number | undefined
  /** An element has ended since the last value of the document did. */
  private hasElement = false

  constructor(shape: DocumentShape, options: ScanOptions = {}) {
    this.shape = shape
    this.options = options
    this.holders = shape.records.split('.')
    this.facts = shape.facts.map((name) => ({ name, path: name.split('.') }))
    const { id, parent, time } = shape.record
    this.fields = [
      ['id', id],
      ['parent', parent],
      ['time', time],
    ]
    // Below an element: the members around its records, the records, and their members.
    const inside = Object.values(shape.record).map((names) => names.length)
    const members = shape.facts.map((name) => name.split('.').length)
    const levels = Math.max(this.holders.length + 1 + Math.max(...inside), ...members)
    const above = options.isElement === true ? 0 : shape.list === undefined ? 1 : 2
    this.walker = new JsonWalker(this, levels + above)
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

  /** Offset behind the last whole value of the document; undefined where none is whole. */
  get endOfValue(): number | undefined {
    return this.valueEnd
  }

  /** True while a list of elements has not ended. */
  get isInList(): boolean {
    return this.isListOpen && this.walker.isOpen
  }

  /** @internal called by the walker */
  key(depth: number, name: string | undefined, at: number): void {
    this.names[depth] = name
    this.beginTail(depth, at)
  }

  /** The first that stands behind the records; where brackets do not match, it may be a value without a name. */
  private beginTail(depth: number, at: number): void {
    const { element, holders, level } = this
    const inside = depth - level
    if (element === undefined || inside < 1 || inside > holders.length) return
    if (!element.isConversation || this.isInRecords || element.tailStart !== undefined) return
    element.tailStart = at
    element.tailDepth = inside - 1
  }

  /** @internal called by the walker */
  begin(depth: number, kind: JsonKind, at: number): boolean {
    this.kinds[depth] = kind
    this.beginList(depth, kind)
    const { element, holders } = this
    const inside = depth - this.level
    const isNested = kind === 'object' || kind === 'array'
    if (inside === 0) {
      if (this.isElementHere()) this.beginElement(at)
      return false
    }
    if (element === undefined) return false
    this.beginTail(depth, at)
    if (this.isInRecords) {
      if (inside === holders.length + 1)
        this.record = { start: at, id: undefined, parent: undefined, time: undefined }
      return this.record !== undefined && !isNested && this.fieldAt(depth) !== undefined
    }
    if (isNested && !element.isConversation && this.isHolder(inside)) {
      if (inside === holders.length) {
        element.isConversation = true
        this.isInRecords = true
      } else if (kind === 'object') {
        this.opened = inside
        element.headEnd = at + 1
        element.restStart = at + 1
      }
    }
    return !isNested && this.factAt(depth) !== undefined
  }

  /** @internal called by the walker */
  end(depth: number, at: number, text: string | undefined): void {
    const inside = depth - this.level
    if (inside === 0 && this.element !== undefined) this.hasElement = true
    // Words that stand behind the value are none of the document's, though they may look like one.
    if (depth === 0 && (this.valueEnd === undefined || this.hasElement)) this.valueEnd = at
    if (depth === 0) this.hasElement = false
    if (inside < 0) this.isListOpen = false
    if (this.element === undefined || inside < 0) return
    if (inside === 0) this.endElement(at, false)
    else if (this.isInRecords) this.endInRecords(depth, at, text)
    else this.endMember(depth, at, text)
  }

  private endInRecords(depth: number, at: number, text: string | undefined): void {
    const { record, holders } = this
    const inside = depth - this.level
    if (inside === holders.length) this.isInRecords = false
    else if (record === undefined) return
    else if (inside === holders.length + 1) this.endRecord(at)
    else if (text !== undefined) this.endField(record, depth, text)
  }

  private endMember(depth: number, at: number, text: string | undefined): void {
    const { element } = this
    const inside = depth - this.level
    const fact = text === undefined ? undefined : this.factAt(depth)
    if (element === undefined) return
    if (text !== undefined && fact !== undefined)
      element.facts[fact] = factOf(text, this.kinds[depth])
    if (element.isConversation || inside > this.opened + 1) return
    if (inside <= this.opened) this.opened = inside - 1
    element.headEnd = at
    element.restStart = at
  }

  private take(): readonly FoundElement[] {
    const { found } = this
    this.found = []
    return found
  }

  /** Finds out where the elements are, at the beginning of the document and of what may be its list. */
  private beginList(depth: number, kind: JsonKind): void {
    const { list } = this.shape
    if (this.options.isElement === true || depth > 1) return
    if (depth === 0) {
      const isList = kind === 'array'
      this.level = isList ? 1 : list === undefined ? 0 : 2
      this.isListOpen = isList
      const isPlain = kind === 'string' || kind === 'other'
      if (isPlain && this.valueEnd !== undefined) this.level = nowhere
    } else if (this.level === 2) this.isListOpen = kind === 'array' && this.names[1] === list
  }

  private isElementHere(): boolean {
    return this.level < 2 || this.isListOpen
  }

  private beginElement(start: number): void {
    this.opened = 0
    this.element = {
      start,
      facts: {},
      records: [],
      isConversation: false,
      headEnd: start + 1,
      tailStart: undefined,
      tailDepth: 0,
      restStart: start + 1,
    }
  }

  /** Whether the value that begins is one of the members around the records, all the way from the element. */
  private isHolder(inside: number): boolean {
    const { holders, level } = this
    if (inside > holders.length || inside !== this.opened + 1) return false
    return (
      this.kinds[level + inside - 1] === 'object' &&
      this.names[level + inside] === holders[inside - 1]
    )
  }

  /** The name of the fact whose value is at this depth. */
  private factAt(depth: number): string | undefined {
    for (let at = this.level; at < depth; at++) if (this.kinds[at] !== 'object') return undefined
    return this.facts.find(({ path }) => this.isAt(depth, this.level + 1, path))?.name
  }

  /** The field of a record whose value is at this depth, by the names above it. */
  private fieldAt(depth: number): RecordField | undefined {
    const first = this.level + this.holders.length + 2
    for (const [field, path] of this.fields) if (this.isAt(depth, first, path)) return field
    return undefined
  }

  /** Whether the names from a depth on, down to this one, are those of a path. */
  private isAt(depth: number, first: number, path: MemberPath): boolean {
    if (depth - first !== path.length - 1) return false
    for (let at = 0; at < path.length; at++) if (path[at] !== this.names[first + at]) return false
    return true
  }

  private endField(record: OpenRecord, depth: number, text: string): void {
    const field = this.fieldAt(depth)
    const fact = factOf(text, this.kinds[depth])
    if (field === 'id' && typeof fact === 'string') record.id = fact
    if (field === 'parent') record.parent = typeof fact === 'string' ? fact : null
    if (field === 'time') record.time = timeOf(fact)
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
  // Databases write numbers of milliseconds as text.
  const ms = /^\d{12,14}$/.test(fact) ? Number(fact) : Date.parse(fact)
  return Number.isNaN(ms) ? undefined : ms / 1000
}
