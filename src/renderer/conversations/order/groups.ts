import { isoMs } from '../../../shared/model/basics/time'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { Grouping, LibrarySort } from '../../state/app/layout'
import { type GroupHead, groupKinds, pinnedId, ungroupedId } from './group-heads'

/** Place of a row among all rows that can be chosen, and among its siblings. */
interface RowPlace {
  readonly key: string
  /** Counts rows that can be chosen from 0. */
  readonly position: number
  /** Counts siblings from 1. */
  readonly inSet: number
  readonly setSize: number
}

/** Row of conversations that share a beginning. */
export interface JoinedRow extends RowPlace {
  readonly type: 'family'
  /** The first of them in the order of the list: it gives the row its title, and opens with it. */
  readonly summary: ConversationSummary
  readonly members: readonly ConversationSummary[]
  readonly isOpen: boolean
}

/** Row of one conversation. */
export interface OneRow extends RowPlace {
  readonly type: 'conversation'
  readonly summary: ConversationSummary
  /** The row of its family, where it is shown below that. */
  readonly family?: string
}

/** Row of the library that can be chosen. */
export type ChosenRow = JoinedRow | OneRow

/** Row of the library: the head of a group, a family, or a conversation. */
export type LibraryRow =
  | ({ readonly type: 'head'; readonly key: string; readonly count: number } & GroupHead)
  | ChosenRow

/** Families of the listed conversations, and which are open. */
export interface ShownFamilies {
  readonly familyOf: ReadonlyMap<string, string>
  readonly open: ReadonlySet<string>
}

const titleOrder = new Intl.Collator(undefined, { numeric: true })

const orders: Readonly<
  Record<LibrarySort, ((a: ConversationSummary, b: ConversationSummary) => number) | undefined>
> = {
  newest: undefined,
  title: (a, b) => titleOrder.compare(a.title.trimStart(), b.title.trimStart()),
  entries: (a, b) => (b.entries ?? -1) - (a.entries ?? -1),
  size: (a, b) => b.bytes - a.bytes,
}

/**
 * Sorts conversations, which come newest first: by title in the language of the system, numbers by value; by their number of entries,
 * those that are not counted last; or by size. Equal ones keep their order.
 */
export function sortLibrary(
  conversations: readonly ConversationSummary[],
  sort: LibrarySort,
): readonly ConversationSummary[] {
  const order = orders[sort]
  return order === undefined ? conversations : [...conversations].sort(order)
}

/** Further options of groups. */
export interface GroupingOptions {
  /** Families by which conversations are grouped, and not joined. */
  readonly familyOf: ReadonlyMap<string, string>
  /** The conversations are in that order. */
  readonly isNewestFirst: boolean
}

/**
 * Groups conversations under heads: pinned ones first, each in a row of its own; then the others. They keep their order, and groups come in the order of their first conversation, or of their newest one where they are sorted by another thing;
 * ungrouped ones last. With families, conversations of one are a row where the first of them stands; the others follow
 * below it where it is open. One or two are plain rows. A family is in the group of its newest conversation, but under letters in that of its first.
 */
export function groupRows(
  conversations: readonly ConversationSummary[],
  grouping: Grouping,
  nowMs: number,
  families?: ShownFamilies,
  { familyOf, isNewestFirst }: GroupingOptions = { familyOf: new Map(), isNewestFirst: true },
): readonly LibraryRow[] {
  const { idOf, headsOf } = groupKinds[grouping]
  const groups = new Map<string, (readonly ConversationSummary[])[]>()
  /** The conversation that each group has its id from. */
  const firsts = new Map<string, ConversationSummary>()
  const others = conversations.filter(({ pinned }) => pinned !== true)
  const entries = [
    ...conversations.filter(({ pinned }) => pinned === true).map((one) => [one]),
    ...(families === undefined
      ? others.map((one) => [one])
      : joined(others, conversations, families)),
  ]
  for (const members of entries) {
    const summary = grouping === 'title' ? members[0] : newestOf(members)
    if (summary === undefined) continue
    const id = summary.pinned === true ? pinnedId : idOf(summary, { nowMs, familyOf })
    const group = groups.get(id)
    if (group === undefined) {
      groups.set(id, [members])
      firsts.set(id, summary)
    } else group.push(members)
  }
  if (!isNewestFirst && grouping !== 'title') sortGroups(groups)
  const ungrouped = groups.get(ungroupedId)
  if (ungrouped !== undefined) {
    groups.delete(ungroupedId)
    groups.set(ungroupedId, ungrouped)
  }
  const ids = [...groups.keys()]
  const isPinned = ids[0] === pinnedId
  const heads = [
    ...(isPinned ? [{ name: 'Pinned' }] : []),
    ...headsOf(isPinned ? ids.slice(1) : ids, (id) => firsts.get(id)),
  ]
  const rows: LibraryRow[] = []
  let position = 0
  let inSet = 0
  for (const [index, id] of ids.entries()) {
    const head = heads[index] ?? { name: id }
    const group = groups.get(id) ?? []
    const count = group.reduce((sum, members) => sum + members.length, 0)
    rows.push({ type: 'head', key: `head:${id}`, count, ...head })
    for (const members of group) {
      const [summary] = members
      if (summary === undefined) continue
      const place = { position: position++, inSet: ++inSet, setSize: entries.length }
      if (members.length === 1) {
        rows.push({ type: 'conversation', key: summary.key, summary, ...place })
        continue
      }
      const key = `family:${families?.familyOf.get(summary.key)}`
      const isOpen = members.some((member) => families?.open.has(member.key))
      rows.push({ type: 'family', key, summary, members, isOpen, ...place })
      if (!isOpen) continue
      for (const [at, member] of members.entries())
        rows.push({
          type: 'conversation',
          key: member.key,
          summary: member,
          family: key,
          position: position++,
          inSet: at + 1,
          setSize: members.length,
        })
    }
  }
  return rows
}

/** Sorts groups by their newest conversation; pinned ones stay first. */
function sortGroups(groups: Map<string, (readonly ConversationSummary[])[]>): void {
  const sorted = [...groups]
    .map(([id, members]) => ({ id, members, newest: updatedMs(newestOf(members.flat())) }))
    .sort((a, b) => {
      if ((a.id === pinnedId) !== (b.id === pinnedId)) return a.id === pinnedId ? -1 : 1
      return a.newest === b.newest ? 0 : a.newest > b.newest ? -1 : 1
    })
  groups.clear()
  for (const { id, members } of sorted) groups.set(id, members)
}

/** Returns the conversation that was updated last; the first of equal ones. */
function newestOf(conversations: readonly ConversationSummary[]): ConversationSummary | undefined {
  let newest = conversations[0]
  for (const one of conversations) if (updatedMs(one) > updatedMs(newest)) newest = one
  return newest
}

function updatedMs(summary: ConversationSummary | undefined): number {
  return isoMs(summary?.updated ?? null) ?? Number.NEGATIVE_INFINITY
}

/** Fewer stay rows of their own: a branch that was just made is in sight, and two rows are no more than one that opens. */
const leastJoined = 3

/**
 * Puts conversations of one family together, where the first of them stands; a few stay apart. How many there are counts
 * over `all`: a pin of one does not take the others apart.
 */
function joined(
  conversations: readonly ConversationSummary[],
  all: readonly ConversationSummary[],
  { familyOf }: ShownFamilies,
): readonly (readonly ConversationSummary[])[] {
  const counts = new Map<string, number>()
  for (const { key } of all) {
    const family = familyOf.get(key)
    if (family !== undefined) counts.set(family, (counts.get(family) ?? 0) + 1)
  }
  const members = new Map<string, ConversationSummary[]>()
  const entries: ConversationSummary[][] = []
  for (const summary of conversations) {
    const own = familyOf.get(summary.key)
    const isJoined = own !== undefined && (counts.get(own) ?? 0) >= leastJoined
    const family = isJoined ? own : undefined
    const known = family === undefined ? undefined : members.get(family)
    if (known !== undefined) {
      known.push(summary)
      continue
    }
    const entry = [summary]
    entries.push(entry)
    if (family !== undefined) members.set(family, entry)
  }
  return entries
}

/** Finds the row that shows a conversation or a family: its own, else that of its family. */
export function rowShowing(
  rows: readonly LibraryRow[],
  key: string | undefined,
): ChosenRow | undefined {
  if (key === undefined) return undefined
  let family: ChosenRow | undefined
  for (const row of rows) {
    if (row.type === 'head') continue
    if (row.key === key) return row
    if (row.type === 'family' && row.members.some((member) => member.key === key)) family = row
  }
  return family
}
