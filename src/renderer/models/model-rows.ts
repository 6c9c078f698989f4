import { fold } from '../../shared/model/basics/fold'
import type { ModelInfo, RecentModel } from '../../shared/model/settings/model-info'

/** A provider, and its models as far as they are known. */
export interface ModelSource {
  readonly name: string
  readonly baseUrl: string
  readonly models: readonly ModelInfo[]
}

/** A model that can be chosen. */
export interface ModelRow {
  readonly key: string
  readonly provider: string
  readonly baseUrl: string
  readonly model: ModelInfo
  readonly isRecent: boolean
  /** It is on no list: what was typed, as it is. */
  readonly isTyped: boolean
}

/** More are not drawn at once: typing narrows them. */
const mostShown = 150

/** A row with the text that is looked for in it. */
interface IndexedRow extends ModelRow {
  readonly folded: string
}

/** All that can be chosen: recently used ones first, newest first, then by provider as its list has them. O(models). */
export function indexModels(
  sources: readonly ModelSource[],
  recent: readonly RecentModel[],
): readonly IndexedRow[] {
  const order = new Map(recent.map(({ baseUrl, model }, at) => [keyOf(baseUrl, model), at]))
  const rows = sources.flatMap(({ name, baseUrl, models }) =>
    models.map((model) => rowOf(name, baseUrl, model, order.has(keyOf(baseUrl, model.id)))),
  )
  const known = new Set(rows.map(({ key }) => key))
  // Used before, and on no list now: a list that was not fetched yet, or a router's own names.
  const unlisted = recent.flatMap(({ baseUrl, model }) => {
    const source = sources.find((one) => one.baseUrl === baseUrl)
    if (source === undefined || known.has(keyOf(baseUrl, model))) return []
    return [rowOf(source.name, baseUrl, { id: model }, true)]
  })
  const used = [...rows.filter(({ isRecent }) => isRecent), ...unlisted].sort(
    (a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0),
  )
  return [...used, ...rows.filter(({ isRecent }) => !isRecent)]
}

/**
 * The rows in which every part of the query stands, in the name, the id or the provider; letters' case does not count.
 * At last the query itself, for the provider that it would be asked at, where that one lists no such model.
 */
export function findModels(
  rows: readonly IndexedRow[],
  query: string,
  typedAt: ModelSource | undefined,
): { readonly rows: readonly ModelRow[]; readonly more: number } {
  const folded = fold(query.trim())
  const parts = folded.split(/\s+/).filter((part) => part !== '')
  const found = rows.filter((row) => parts.every((part) => row.folded.includes(part)))
  const typed = query.trim()
  const isListed = found.some(
    ({ model, baseUrl }) => model.id === typed && baseUrl === typedAt?.baseUrl,
  )
  const own =
    typed === '' || isListed || typedAt === undefined || /\s/.test(typed) || typed.length > 512
      ? []
      : [{ ...rowOf(typedAt.name, typedAt.baseUrl, { id: typed }, false), isTyped: true }]
  return {
    rows: [...found.slice(0, mostShown), ...own],
    more: Math.max(0, found.length - mostShown),
  }
}

function rowOf(provider: string, baseUrl: string, model: ModelInfo, isRecent: boolean): IndexedRow {
  return {
    key: keyOf(baseUrl, model.id),
    provider,
    baseUrl,
    model,
    isRecent,
    isTyped: false,
    folded: fold(`${model.id} ${model.name ?? ''} ${provider}`),
  }
}

function keyOf(baseUrl: string, model: string): string {
  return `${baseUrl}\0${model}`
}
