import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ConsentAsked, ConsentDecision, ConsentId } from '../../../shared/ipc/runs/completion'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

export type { ConsentAsked, ConsentDecision } from '../../../shared/ipc/runs/completion'

export interface ConsentState {
  /** The calls that wait for a person's word, in all conversations, oldest first. */
  readonly waiting: readonly ConsentAsked[]
  /** The one whose word is on its way. */
  readonly deciding: ConsentId | undefined
  /** Why the last word did not arrive; the question waits on. */
  readonly refusal: (ErrorReport & { readonly of: ConsentId }) | undefined
  /** Asks main for what waits: after a reload, and in another home. */
  load(): Promise<void>
  foldAsked(asked: ConsentAsked): void
  foldEnded(consentId: ConsentId): void
  decide(consentId: ConsentId, decision: ConsentDecision): Promise<void>
  /** Another home: nothing of this one waits in it. */
  reset(): void
}
export type ConsentStore = StoreApi<ConsentState>

const nothing = { waiting: [], deciding: undefined, refusal: undefined } as const

/** Questions of tools: asked by main, answered here. */
export function createConsentStore(api: Api): ConsentStore {
  /** Makes answers void that are of another home. */
  let generation = 0
  /** What ended in this home: an answer about what waits may have been on its way. */
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
          // What is known already was told while this was asked, so it is newer.
          const before = found.filter(({ consentId }) => !isKnown(consentId))
          set(({ waiting }) => ({ waiting: [...before, ...waiting] }))
        } catch {
          // Nothing is open there, so nothing waits.
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
