import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { Cursor } from '../../../shared/model/conversation/transcript'
import type { HitPreview } from '../../../shared/model/hit-preview'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'
import { type BranchesStore, createBranchesStore } from '../transcript/branches'
import { type BranchingStore, createBranchingStore } from '../transcript/branching'
import { startRun } from '../transcript/pages'
import { createReadingStore, type ReadingStore } from '../transcript/reading'
import { createTranscriptStore, type TranscriptStore } from '../transcript/transcript'
import type { ListedHit } from './search-hits'

/** Stores that the transcript's pieces read in a preview, in place of those of the open transcript. */
export interface PreviewPieces {
  readonly transcript: TranscriptStore
  readonly reading: ReadingStore
  readonly branches: BranchesStore
  readonly branching: BranchingStore
}

/** Hit in the preview, with its rows or why there are none. */
export interface PreviewedHit {
  readonly of: ListedHit
  readonly rows: HitPreview | undefined
  readonly failure: ErrorReport | undefined
}

/** State and actions of the preview store. */
export interface PreviewState {
  /** The preview is beside the hits; kept for the next start. */
  readonly isOpen: boolean
  readonly shown: PreviewedHit | undefined
  /** Another hit was asked for and is not here yet. */
  readonly isLoading: boolean
  readonly pieces: PreviewPieces
  setOpen(isOpen: boolean): void
  /** Shows a hit, or none; the one before stays until its rows are here. */
  show(hit: ListedHit | undefined): void
  /** Reads the rows of the shown hit again. */
  readAgain(): void
}
/** Store of the preview of a hit. */
export type PreviewStore = StoreApi<PreviewState>

const name = 'skein.preview'

/** Makes the store of the preview. One question at a time: of the hits that a cursor ran over only the last is read. */
export function createPreviewStore(api: Api, kept: KeyValueStorage): PreviewStore {
  const pieces: PreviewPieces = {
    transcript: createTranscriptStore(api),
    reading: createReadingStore(api),
    branches: createBranchesStore(api),
    branching: createBranchingStore(api),
  }
  let wanted: ListedHit | undefined
  let isReading = false

  return createStore<PreviewState>()((set, get) => {
    async function read(): Promise<void> {
      if (isReading) return
      isReading = true
      while (wanted !== undefined) {
        const of = wanted
        const result = await rowsOf(of)
        // The cursor went on meanwhile.
        if (wanted !== of) continue
        wanted = undefined
        fill(pieces, of, result.rows)
        set({ shown: { of, rows: undefined, failure: undefined, ...result }, isLoading: false })
      }
      isReading = false
    }

    async function rowsOf({ hit }: ListedHit): Promise<Partial<PreviewedHit>> {
      const { source, key, file, offset, entryId, snippet, ranges } = hit
      const entry = entryId === null ? {} : { entry: entryId }
      const at =
        file === undefined || offset === undefined ? {} : { at: { file, offset, ...entry } }
      try {
        return {
          rows: await api.search.preview({
            key: libraryKeyOf(source, key),
            ...at,
            snippet,
            ranges: [...ranges],
          }),
        }
      } catch (error) {
        return { failure: toErrorReport(error) }
      }
    }

    return {
      isOpen: kept.get(name) !== 'closed',
      shown: undefined,
      isLoading: false,
      pieces,

      setOpen(isOpen) {
        kept.set(name, isOpen ? 'open' : 'closed')
        set({ isOpen })
      },

      show(hit) {
        if (hit === undefined) {
          wanted = undefined
          if (get().shown !== undefined || get().isLoading)
            set({ shown: undefined, isLoading: false })
          return
        }
        if ((wanted ?? get().shown?.of)?.id === hit.id) return
        wanted = hit
        set({ isLoading: true })
        void read()
      },

      readAgain() {
        wanted = get().shown?.of
        if (wanted === undefined) return
        set({ isLoading: true })
        void read()
      },
    }
  })
}

/** The pieces see the rows as a whole conversation that nobody writes to. */
function fill(pieces: PreviewPieces, { hit }: ListedHit, preview: HitPreview | undefined): void {
  const rows = preview?.rows ?? []
  pieces.reading.getState().reset()
  pieces.transcript.setState({
    key: libraryKeyOf(hit.source, hit.key),
    phase: 'ready',
    run: startRun({
      rows,
      after: '' as Cursor, // nothing is asked for behind it
      atEnd: true,
      totalBytes: 0,
      bytesBefore: 0,
    }),
  })
}
