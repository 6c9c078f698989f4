import { type Entry, EntryId } from '../../../shared/model/conversation/entry'
import type { SourceLine } from '../common/json-lines'
import type { SourceFact } from '../common/reader'
import type { SessionFields, SessionStep } from './line'

/** A message of a session, with the one that it goes on from. */
interface Message {
  readonly name: string | undefined
  entries: readonly Entry[]
  readonly before: Message | undefined
}

/**
 * Plays the lines of a session: messages that are written again take the place of what they were, and those that were taken back
 * stay as a branch. Holds the session.
 */
export class SessionPlay {
  private readonly told: (SourceFact | Message)[] = []
  private last: Message | undefined
  private named = new Map<string, Message>()
  private readonly ids = new Set<string>()
  private found: SessionFields = {}

  /** The session's fields as they are at its end. */
  get fields(): SessionFields {
    return this.found
  }

  /** Takes the next line, with what its values do. */
  take(line: SourceLine, steps: readonly SessionStep[], fields: readonly SessionFields[]): void {
    for (const more of fields) this.learn(more)
    const entries = line.rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
    for (const row of line.rows) if (row.type === 'damaged') this.told.push(row)
    if (line.kind === 'control' || line.kind === 'blank')
      this.told.push({ type: line.kind, place: line.place })
    const [step = none] = steps
    if (line.kind === 'damaged') this.add({ name: undefined, entries })
    else if (step.type === 'rewind') this.rewind(step.to)
    else if (step.type === 'all') this.renew(step.messages, entries)
    else if (entries.length > 0) this.put(step.type === 'message' ? step.name : undefined, entries)
  }

  /** Everything in the session, in the order of its messages. */
  *facts(): Generator<SourceFact> {
    for (const one of this.told) {
      if ('type' in one) yield one
      else for (const [part, entry] of one.entries.entries()) yield factOf(one, entry, part)
    }
    const leaf = nearest(this.last)
    if (leaf !== undefined) yield { type: 'leaf', leaves: [leaf] }
  }

  private learn(more: SessionFields): void {
    const told = Object.entries(more).filter(([, value]) => value !== undefined)
    this.found = { ...this.found, ...Object.fromEntries(told) }
  }

  private put(name: string | undefined, entries: readonly Entry[]): void {
    const known = name === undefined ? undefined : this.named.get(name)
    if (known === undefined) this.add({ name, entries })
    else known.entries = renamed(entries, known.entries[0]?.id ?? '')
  }

  private add({ name, entries }: Pick<Message, 'name' | 'entries'>): void {
    const [first] = entries
    if (first === undefined) return
    const own = this.withFreeIds(entries, first)
    const message = { name, entries: own, before: this.last }
    this.told.push(message)
    this.goTo(message)
  }

  /** A message that was taken back may be written again under its id, and a list may have one twice. */
  private withFreeIds(entries: readonly Entry[], first: Entry): readonly Entry[] {
    let name: string = first.id
    for (let copy = 1; this.ids.has(name); copy++)
      name = `${first.id}@${first.line ?? first.offset}${copy === 1 ? '' : `.${copy}`}`
    this.ids.add(name)
    return name === first.id ? entries : renamed(entries, name)
  }

  private goTo(message: Message): void {
    this.last = message
    if (message.name !== undefined) this.named.set(message.name, message)
  }

  private rewind(to: string): void {
    const path = this.path()
    const at = path.findIndex(({ name }) => name === to)
    this.restart(path.slice(0, Math.max(0, at)))
  }

  /** Takes a list in place of the one before: equal messages stay, and from the first other one on it is a new branch. */
  private renew(
    messages: readonly { readonly name: string | undefined; readonly entries: number }[],
    entries: readonly Entry[],
  ): void {
    const path = this.path()
    const same = path.findIndex(({ name }, at) => name === undefined || name !== messages[at]?.name)
    const kept = same === -1 ? path.length : same
    this.restart(path.slice(0, kept))
    let at = 0
    for (const [i, { name, entries: count }] of messages.entries()) {
      const own = entries.slice(at, at + count)
      at += count
      if (i >= kept) this.add({ name, entries: name === undefined ? own : renamed(own, name) })
    }
  }

  private path(): readonly Message[] {
    const path: Message[] = []
    for (let at = this.last; at !== undefined; at = at.before) path.push(at)
    return path.reverse()
  }

  private restart(path: readonly Message[]): void {
    this.last = undefined
    this.named = new Map()
    for (const message of path) this.goTo(message)
  }
}

/** Entries of one message, by its name. */
function renamed(entries: readonly Entry[], name: string): readonly Entry[] {
  return entries.map((entry, part) => ({
    ...entry,
    id: EntryId.parse(part === 0 ? name : `${name}#${part + 1}`),
  }))
}

const none: SessionStep = { type: 'none' }

/** Further parts go on from the one before them. */
function factOf(message: Message, entry: Entry, part: number): SourceFact {
  const before = part === 0 ? nearest(message.before) : message.entries[part - 1]?.id
  return { type: 'entry', entry: { ...entry, parent: before ?? null } }
}

function nearest(message: Message | undefined): EntryId | undefined {
  return message?.entries[0]?.id
}
