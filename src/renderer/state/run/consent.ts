import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ConsentAsked, ConsentDecision, ConsentId } from '../../../shared/ipc/runs/completion'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

export type { ConsentAsked, ConsentDecision } from '../../../shared/ipc/runs/completion'

/** State and actions of the consent store. */
export interface ConsentState {
  /** The calls that wait for consent, in all conversations, oldest first. */
  readonly waiting: readonly ConsentAsked[]
  /** The call whose decision is being sent. */
  readonly deciding: ConsentId | undefined
  /** Why the last decision was not accepted; the call still waits. */
  readonly refusal: (ErrorReport & { readonly of: ConsentId }) | undefined
  /** Loads the waiting calls from main: after a reload, and in another home. */
  load(): Promise<void>
  foldAsked(asked: ConsentAsked): void
  foldEnded(consentId: ConsentId): void
  decide(consentId: ConsentId, decision: ConsentDecision): Promise<void>
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the calls that wait for consent. */
export type ConsentStore = StoreApi<ConsentState>

const nothing = { waiting: [], deciding: undefined, refusal: undefined } as const

/** Makes the store of the calls that wait for consent: main asks, a person decides here. */
export function createConsentStore(api: Api): ConsentStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0
  /** Calls that ended in this home: a list that is still loading may contain them. */
  let ended = new Set<string>()

  return createStore<ConsentState>()((set, get) => {
    const isKnown = (consentId: ConsentId) =>
      ended.has(consentId) || get().waiting.some((one) => one.consentId === consentId)

    return {
      ...nothing,

      async load() {
        const mine = generation
        try {
          const found = await api.completion.asking()
          if (mine !== generation) return
          // Known calls came as events during the request, so they are newer.
          const before = found.filter(({ consentId }) => !isKnown(consentId))
          set(({ waiting }) => ({ waiting: [...before, ...waiting] }))
        } catch {
          // Main has no open home, so no call waits.
        }
      },

      foldAsked(asked) {
        if (!isKnown(asked.consentId)) set(({ waiting }) => ({ waiting: [...waiting, asked] }))
      },

      foldEnded(consentId) {
        ended.add(consentId)
        set(({ waiting, refusal }) => ({
          waiting: waiting.filter((one) => one.consentId !== consentId),
          refusal: refusal?.of === consentId ? undefined : refusal,
        }))
      },

      async decide(consentId, decision) {
        if (get().deciding === consentId || ended.has(consentId)) return
        const digest = get().waiting.find((one) => one.consentId === consentId)?.digest
        if (digest === undefined) return
        const mine = generation
        set({ deciding: consentId, refusal: undefined })
        try {
          await api.completion.decide({ consentId, digest, decision })
          if (mine === generation) get().foldEnded(consentId)
        } catch (error) {
          if (mine === generation) set({ refusal: { ...toErrorReport(error), of: consentId } })
        }
        if (mine === generation && get().deciding === consentId) set({ deciding: undefined })
      },

      reset() {
        generation++
        ended = new Set()
        set(nothing)
      },
    }
  })
}
