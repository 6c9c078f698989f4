import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { KnownValue } from '../../../shared/model/query/completion'
import type { QueryFieldName } from '../../../shared/model/query/query-fields'
import type { StatisticsAnswer } from '../../../shared/model/statistics/answer'

/** Values of fields, as the conversations have them. */
type ValuesByField = Partial<Readonly<Record<QueryFieldName, readonly KnownValue[]>>>

/** State of the values that queries are completed with. */
export interface KnownValuesState {
  readonly values: ValuesByField
  /** Asks for the values anew, unless they were asked for a short while ago; a failure leaves those that are known. */
  load(): Promise<void>
  /** Forgets them: another home is open. */
  reset(): void
}
/** Store of the values that queries are completed with. */
export type KnownValuesStore = StoreApi<KnownValuesState>

/** Values are asked for anew after so long, in ms. */
const freshMs = 20_000

/** Makes the store of the values that queries are completed with. */
export function createKnownValuesStore(
  api: Api,
  now: () => number = () => performance.now(),
): KnownValuesStore {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let last = 0
  return createStore<KnownValuesState>()((set) => ({
    values: {},
    async load() {
      if (now() - askedAtMs < freshMs) return
      askedAtMs = now()
      const mine = ++last
      try {
        const answer = await api.statistics.read({ filter: {} })
        if (mine === last) set({ values: valuesOf(answer) })
      } catch {
        // Nobody waits for them: what is typed is searched all the same.
        askedAtMs = Number.NEGATIVE_INFINITY
      }
    },
    reset() {
      last += 1
      askedAtMs = Number.NEGATIVE_INFINITY
      set({ values: {} })
    },
  }))
}

function valuesOf({ statistics, choices }: StatisticsAnswer): ValuesByField {
  const { entries, tools, models, speech } = statistics
  const providers = Object.entries(speech?.byProvider ?? {})
  return {
    tool: tools.map(({ tool, calls }) => ({ value: tool, count: calls })),
    model: models.map((one) => ({ value: one.model, count: one.entries })),
    type: Object.entries(entries.byType).map(([value, count]) => ({ value, count })),
    project: choices.projects.flatMap(({ name, conversations }) =>
      name === null ? [] : [{ value: name, count: conversations }],
    ),
    provider: providers.flatMap(([value, count]) =>
      value === 'unknown' ? [] : [{ value, count }],
    ),
  }
}
