import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { toErrorReport } from '../base/failure'
import type { Landing, ReadingSpot } from './landing'

/** Source line of a row, as in its file: loading, shown or failed. */
export type RawLineState =
  | { readonly type: 'loading' }
  | { readonly type: 'shown'; readonly text: string; readonly line: number; readonly cut: boolean }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** Text of a saved output that was read beyond its beginning, which the entry has. */
export interface OutputState {
  readonly text: string
  /** Where the next part begins, in bytes. */
  readonly to: number
  /** Of the file. */
  readonly bytes: number
  readonly isReading: boolean
  readonly failure?: ErrorReport
}

/** A saved output: the conversation's file that names it, and its own name. */
export interface OutputAddress {
  readonly file: string
  readonly output: string
}

/** Position of a source line, in bytes. */
export interface LineAddress {
  readonly file: string
  readonly offset: number
  readonly length: number
  /** The id of its entry: after a rotation another line may be at this place. */
  readonly id?: EntryId
}

/** Fault of a landing, as a note shows it. */
interface LandingFault {
  readonly title: string
  readonly words: string
}

/** State and actions of the reading store. */
export interface ReadingState {
  /** Folds that were opened or closed by hand, by name. Kept here because rows that scroll away are unmounted. */
  readonly folds: Readonly<Record<string, boolean>>
  /** Source lines that were loaded, by `lineAddressKey`. */
  readonly raws: Readonly<Record<string, RawLineState>>
  /** Items whose source lines are shown. */
  readonly rawShown: Readonly<Record<string, boolean>>
  /** Saved outputs of which more was read, by `outputKey`. */
  readonly outputs: Readonly<Record<string, OutputState>>
  /** Only prompts and last answers are shown. Stays from one conversation to the next. */
  readonly isSkimming: boolean
  /** Where the reader was when that was changed last; undefined where nothing was drawn. */
  readonly toggledAt: ReadingSpot | undefined
  /** Number of the last landing before that. */
  readonly skimsSince: number
  /** Whether tools are open that nobody opened or closed since; undefined where each is as it is at first. */
  readonly areToolsOpen: boolean | undefined
  /** True where the reader is away from the transcript's end. */
  readonly isReadingUp: boolean
  /** Generation of the rows in which a list has measured that; undefined until one has. */
  readonly measuredIn: number | undefined
  /** Counts the times that the reader asked for the transcript's end. */
  readonly endRequests: number
  /** The last landing in the open transcript. */
  readonly landing: Landing | undefined
  /** Why the last landing, or the edit at its place, failed. */
  readonly fault: LandingFault | undefined
  land(landing: Omit<Landing, 'id' | 'isDone'>): void
  /** Marks a landing as done: its turn is in view. */
  arrive(id: number): void
  missPlace(words: string): void
  /** Says why the message that the reader landed at cannot be edited. */
  refuseEdit(words: string): void
  dismissFault(): void
  setFold(name: string, isOpen: boolean): void
  /** Shows prompts and last answers alone, or everything again. */
  toggleSkimming(): void
  /** Opens all tools, or closes all of them where that was done last. */
  toggleTools(): void
  toggleRaw(item: string, key: LibraryKey, places: readonly LineAddress[]): Promise<void>
  /** Reads the next part of a saved output. @param shown bytes of it that the entry has, of so many */
  readOutput(
    key: LibraryKey,
    place: OutputAddress,
    shown: { readonly to: number; readonly bytes: number },
  ): Promise<void>
  /** @param generation of the rows that the list shows */
  setReadingUp(isReadingUp: boolean, generation?: number): void
  /** Where the reader is now; undefined while no transcript is drawn. Reads the layout of the page. */
  spot(): ReadingSpot | undefined
  /** Has the spot measured by the list that is drawn. Returns a function that ends it. */
  measureBy(measure: () => ReadingSpot | undefined): () => void
  askForEnd(): void
  reset(): void
}
/** Store of how the open transcript is read. */
export type ReadingStore = StoreApi<ReadingState>

/** Returns the key of a source line in `raws`. */
export function lineAddressKey({ file, offset }: LineAddress): string {
  return `${file}:${offset}`
}

/** Returns the key of a saved output in `outputs`. */
export function outputKey({ file, output }: OutputAddress): string {
  return `${output}:${file}`
}

const toolEnding = ' tool'

/** Returns the name of the fold of a tool's call and its result. */
export function toolFold(itemKey: string): string {
  return itemKey + toolEnding
}

function isToolFold(name: string): boolean {
  return name.endsWith(toolEnding)
}

/** Makes the store of the reader's folds, source lines and position in the open transcript. */
export function createReadingStore(api: Api): ReadingStore {
  let landings = 0
  let measured: (() => ReadingSpot | undefined) | undefined
  return createStore<ReadingState>()((set, get) => {
    async function load(key: LibraryKey, place: LineAddress): Promise<void> {
      const name = lineAddressKey(place)
      const put = (line: RawLineState) => set(({ raws }) => ({ raws: { ...raws, [name]: line } }))
      put({ type: 'loading' })
      try {
        const { id, file, offset, length } = place
        const asked = { key, file, offset, length, ...(id === undefined ? {} : { entry: id }) }
        put({ type: 'shown', ...(await api.transcript.raw(asked)) })
      } catch (error) {
        put({ type: 'failed', failure: toErrorReport(error) })
      }
    }

    return {
      folds: {},
      raws: {},
      rawShown: {},
      outputs: {},
      isSkimming: false,
      toggledAt: undefined,
      skimsSince: 0,
      areToolsOpen: undefined,
      isReadingUp: false,
      measuredIn: undefined,
      endRequests: 0,
      landing: undefined,
      fault: undefined,
      land: (landing) =>
        set({ landing: { ...landing, id: ++landings, isDone: false }, fault: undefined }),
      arrive: (id) =>
        set(({ landing }) => (landing?.id === id ? { landing: { ...landing, isDone: true } } : {})),
      missPlace: (words) => set({ fault: { title: 'Not found.', words }, landing: undefined }),
      refuseEdit: (words) => set({ fault: { title: 'Not edited.', words } }),
      dismissFault: () => set({ fault: undefined }),
      setFold: (name, isOpen) => set(({ folds }) => ({ folds: { ...folds, [name]: isOpen } })),
      toggleSkimming: () =>
        set(({ isSkimming }) => ({
          isSkimming: !isSkimming,
          toggledAt: measured?.(),
          skimsSince: landings,
        })),
      toggleTools: () =>
        set(({ areToolsOpen, folds }) => ({
          areToolsOpen: areToolsOpen !== true,
          folds: Object.fromEntries(Object.entries(folds).filter(([name]) => !isToolFold(name))),
        })),
      async toggleRaw(item, key, places) {
        const isShown = get().rawShown[item] !== true
        set(({ rawShown }) => ({ rawShown: { ...rawShown, [item]: isShown } }))
        if (!isShown) return
        const wanted = places.filter((place) => get().raws[lineAddressKey(place)]?.type !== 'shown')
        await Promise.all(wanted.map((place) => load(key, place)))
      },
      async readOutput(key, place, shown) {
        const name = outputKey(place)
        const known = get().outputs[name]
        if (known?.isReading === true) return
        const { text: read, to: from, bytes: whole } = known ?? { ...shown, text: '' }
        const put = (now: OutputState) =>
          set(({ outputs }) => ({ outputs: { ...outputs, [name]: now } }))
        const before = { text: read, to: from, bytes: whole }
        const reading = { ...before, isReading: true }
        put(reading)
        // Another conversation may be open when it has come.
        const isShown = () => get().outputs[name] === reading
        try {
          const { text, to, bytes } = await api.transcript.output({ key, ...place, from })
          if (isShown()) put({ text: read + text, to, bytes, isReading: false })
        } catch (error) {
          if (isShown()) put({ ...before, isReading: false, failure: toErrorReport(error) })
        }
      },
      setReadingUp: (isReadingUp, measuredIn = get().measuredIn) => {
        if (isReadingUp !== get().isReadingUp || measuredIn !== get().measuredIn)
          set({ isReadingUp, measuredIn })
      },
      spot: () => measured?.(),
      measureBy(measure) {
        measured = measure
        return () => {
          if (measured === measure) measured = undefined
        }
      },
      askForEnd: () => set(({ endRequests }) => ({ endRequests: endRequests + 1 })),
      reset: () =>
        set({
          folds: {},
          raws: {},
          rawShown: {},
          outputs: {},
          toggledAt: undefined,
          areToolsOpen: undefined,
          isReadingUp: false,
          measuredIn: undefined,
          landing: undefined,
          fault: undefined,
        }),
    }
  })
}
