import { fold } from '../../shared/model/basics/fold'
import type { ModelInfo, RecentModel } from '../../shared/model/settings/model-info'

/** Provider with the models that are known of it. */
export interface ModelSource {
  readonly name: string
  readonly baseUrl: string
  readonly models: readonly ModelInfo[]
}

/** Model that can be chosen in the picker. */
export interface ModelRow {
  readonly key: string
  readonly provider: string
  readonly baseUrl: string
  readonly model: ModelInfo
  readonly isRecent: boolean
  /** Not from a list: the query as typed. */
  readonly isTyped: boolean
}

/** Most rows drawn at once: typing narrows them. */
const mostShown = 150

/** A row with the text that queries are matched with. */
interface IndexedRow extends ModelRow {
  readonly folded: string
}

/**
 * Lists all models for the picker: recent ones first, newest before older, then by provider in the order of its
 * list. O(models).
 */
export function indexModels(
  sources: readonly ModelSource[],
  recent: readonly RecentModel[],
): readonly IndexedRow[] {
  const order = new Map(recent.map(({ baseUrl, model }, at) => [keyOf(baseUrl, model), at]))
  const rows = sources.flatMap(({ name, baseUrl, models }) =>
    models.map((model) => rowOf(name, baseUrl, model, order.has(keyOf(baseUrl, model.id)))),
  )
  const known = new Set(rows.map(({ key }) => key))
  // Recent models on no list: their list was not fetched yet, or they are a router's own names.
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
 * Returns at most 150 rows that contain every part of the query, in any case, in id, name or provider; `more` counts
 * the others. The query itself comes last, as a model of `typedAt`, unless that provider lists it.
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
