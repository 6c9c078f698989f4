import { isoMs } from '../../../shared/model/basics/time'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { tagId } from '../../../shared/model/conversation/tag'
import type { Grouping } from '../../state/app/layout'
import { daysBetween, monthName } from '../../ui/format/format'

/** Head of a group in the library. */
export interface GroupHead {
  readonly name: string
  /** More than the name says: the whole path of a project. */
  readonly title?: string
  /** The source whose sign is shown before the name. */
  readonly source?: string
}

/** A way to group conversations: equal ids share a group, and all ids together give the heads. */
interface GroupKind {
  idOf(summary: ConversationSummary, given: GroupingFacts): string
  /** @param firstOf the first conversation of each group */
  headsOf(
    ids: readonly string[],
    firstOf: (id: string) => ConversationSummary | undefined,
  ): readonly GroupHead[]
}

/** Facts that a group depends on beside its conversations. */
export interface GroupingFacts {
  readonly nowMs: number
  readonly familyOf: ReadonlyMap<string, string>
}

/** Id of conversations that belong to no group; their head comes last. */
export const ungroupedId = ''

/** Id of pinned conversations, whatever the others are grouped by; no project or title is called so. */
export const pinnedId = '\0pinned'

/** Most path parts in the name of a project that shares its last parts with another; then the whole path. */
const mostParts = 4

/** Groupings of the library: the group of a conversation, and the heads of all groups. */
export const groupKinds: Readonly<Record<Grouping, GroupKind>> = {
  date: { idOf: ({ updated }, { nowMs }) => dateName(updated, nowMs), headsOf: named },
  project: { idOf: ({ project }) => projectPath(project), headsOf: projectHeads },
  source: {
    idOf: ({ source }) => source,
    headsOf: (ids) => ids.map((source) => ({ name: sourceLabel(source), source })),
  },
  model: { idOf: ({ model = ungroupedId }) => model, headsOf: (ids) => namedOr(ids, 'No model') },
  tag: {
    // Of several tags the first: a row stands once.
    idOf: ({ tags }) => (tags?.[0] === undefined ? ungroupedId : tagId(tags[0])),
    headsOf: (ids, firstOf) =>
      ids.map((id) => ({ name: id === ungroupedId ? 'No tag' : (firstOf(id)?.tags?.[0] ?? id) })),
  },
  family: {
    idOf: ({ key }, { familyOf }) => familyOf.get(key) ?? ungroupedId,
    headsOf: (ids, firstOf) =>
      ids.map((id) => ({ name: id === ungroupedId ? 'No branches' : (firstOf(id)?.title ?? id) })),
  },
  title: { idOf: ({ title }) => letterOf(title), headsOf: named },
  none: { idOf: () => ungroupedId, headsOf: (ids) => ids.map(() => ({ name: 'Conversations' })) },
}

function namedOr(ids: readonly string[], ungrouped: string): readonly GroupHead[] {
  return ids.map((id) => ({ name: id === ungroupedId ? ungrouped : id }))
}

function named(ids: readonly string[]): readonly GroupHead[] {
  return ids.map((name) => ({ name }))
}

function dateName(updated: string | null, nowMs: number): string {
  const ms = isoMs(updated)
  if (ms === undefined) return 'No date'
  const days = daysBetween(ms, nowMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days <= 7 ? 'Last 7 days' : monthName(ms)
}

/** Returns the path of a project: with and without a slash at its end it is the same one. Empty for none. */
export function projectPath(project: string | null): string {
  if (project === null) return ungroupedId
  let end = project.length
  while (end > 1 && isSlash(project[end - 1])) end--
  return project.slice(0, end)
}

function projectHeads(paths: readonly string[]): readonly GroupHead[] {
  const names = new Map<string, string>()
  let open = paths.filter((path) => path !== ungroupedId)
  for (let parts = 1; open.length > 0; parts++) {
    const byName = new Map<string, string[]>()
    for (const path of open) {
      const name = parts > mostParts ? path : lastParts(path, parts)
      const alike = byName.get(name)
      if (alike === undefined) byName.set(name, [path])
      else alike.push(path)
    }
    for (const [name, [path = name, ...others]] of byName)
      if (others.length === 0) names.set(path, name)
    open = open.filter((path) => !names.has(path))
  }
  return paths.map((path) =>
    path === ungroupedId ? { name: 'No project' } : { name: names.get(path) ?? path, title: path },
  )
}

function lastParts(path: string, parts: number): string {
  let at = path.length
  for (let part = 0; part < parts && at >= 0; part++) {
    at--
    while (at >= 0 && !isSlash(path[at])) at--
  }
  return path.slice(at + 1) || path
}

function isSlash(character: string | undefined): boolean {
  return character === '/' || character === '\\'
}

/** Returns the letter that a title is grouped by; scripts without an alphabet, digits and symbols are a group each. */
function letterOf(title: string): string {
  const [first = ''] = title.trimStart().slice(0, 2)
  if (/\p{Script=Han}/u.test(first)) return 'Chinese characters'
  if (/\p{Script=Hangul}/u.test(first)) return 'Hangul'
  // Without its accents and in its usual width.
  const [plain = ''] = first.normalize('NFKD')
  if (/\p{N}/u.test(plain)) return '0–9'
  const [upper = ''] = plain.toUpperCase()
  return /\p{L}/u.test(upper) ? upper : 'Symbols'
}
