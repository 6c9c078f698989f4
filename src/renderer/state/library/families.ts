import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Distinction } from '../../../shared/model/family/branching'

/** Pause after a change before families are asked for again: an answer comes as several entries. In ms. */
const restMs = 600

/** State and actions of the families store. */
export interface FamiliesState {
  /** The family of each conversation that has relatives: the first key of its members. */
  readonly familyOf: ReadonlyMap<string, string>
  /** Members of families that are shown open. */
  readonly open: ReadonlySet<string>
  /** Words that tell a conversation from its relatives, once its family was opened. */
  readonly distinctions: ReadonlyMap<string, Distinction>
  /**
   * Loads the families. While conversations are still being read, only the first ones that are known are taken: rows move
   * once, when all is known.
   */
  load(): Promise<void>
  /** Opens or closes the family of these conversations. */
  toggle(members: readonly LibraryKey[], isOpen: boolean): void
  /** Loads again soon. */
  foldChanged(): void
  /** Clears everything: other conversations are listed. */
  reset(): void
}
/** Store of the library's families. */
export type FamiliesStore = StoreApi<FamiliesState>

const none = {
  familyOf: new Map<string, string>(),
  open: new Set<string>(),
  distinctions: new Map<string, Distinction>(),
} as const

/** Makes the store of the library's families. A failure leaves those that are known. */
export function createFamiliesStore(api: Api): FamiliesStore {
  let request = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  return createStore<FamiliesState>()((set, get) => {
    async function tellApart(key: LibraryKey): Promise<void> {
      const mine = request
      const told = await api.branches.distinctions({ key }).catch(() => [])
      if (mine !== request || told.length === 0) return
      set(({ distinctions }) => ({
        distinctions: new Map([...distinctions, ...told.map((one) => [one.key, one] as const)]),
      }))
    }

    return {
      ...none,
      async load() {
        const mine = ++request
        clearTimeout(timer)
        const answer = await api.branches.groups({}).catch(() => undefined)
        if (mine !== request || answer === undefined) return
        const { families, counting } = answer
        const { familyOf: before, open } = get()
        if (counting && before.size > 0) return
        const familyOf = new Map<string, string>()
        for (const family of families) {
          const id = [...family].sort()[0]
          if (id !== undefined) for (const key of family) familyOf.set(key, id)
        }
        // The same families stay the same value: nothing is drawn again.
        const isSame =
          before.size === familyOf.size &&
          [...familyOf].every(([key, id]) => before.get(key) === id)
        if (!isSame) set({ familyOf })
        for (const family of families) {
          const [key] = family
          if (key !== undefined && family.some((member) => open.has(member))) void tellApart(key)
        }
      },
      toggle(members, isOpen) {
        const open = new Set(get().open)
        for (const key of members)
          if (isOpen) open.add(key)
          else open.delete(key)
        set({ open })
        const [first] = members
        if (isOpen && first !== undefined) void tellApart(first)
      },
      foldChanged() {
        clearTimeout(timer)
        timer = setTimeout(() => void get().load(), restMs)
      },
      reset() {
        request++
        clearTimeout(timer)
        set(none)
      },
    }
  })
}
