import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ReadPdf } from '../../../shared/model/attachments/pdf'
import { type GivenTextFile, shownFileName } from '../../../shared/model/attachments/text-files'
import {
  needsReading,
  type ReadTextFile,
  withPdfText,
} from '../../../shared/model/attachments/with-pdf-text'
import {
  type GivenImage,
  imagesFault,
  imageTypeOf,
} from '../../../shared/model/conversation/images'
import type { KeyValueStorage } from '../base/storage'
import { type AttachedText, readTextFile, storedTexts, storeTexts } from './attached-texts'

/** Message that is not sent yet. */
export interface Draft {
  readonly text: string
  /** Names of the fields of a saved prompt that were in the text; absent where it has none that are asked for. */
  readonly fields?: readonly string[]
}

/** Image of a draft. It is not stored: the browser's storage is too small. */
export interface AttachedImage extends GivenImage {
  readonly id: string
}

/** Files that were read for a draft; `fault` says in words why one is not there. */
export interface ReadFiles {
  readonly given: readonly GivenTextFile[]
  readonly fault?: string | undefined
}

/** PDF that is being read for a draft. */
export interface PdfOfDraft {
  readonly id: string
  readonly name: string
}

/** Reading of files that a draft waits for; without a place it is dropped when it ends. */
interface Reading {
  place: string | undefined
  /** Those that are not read yet. */
  pdfs: readonly {
    readonly id: string
    readonly file: GivenTextFile
    readonly stop: AbortController
  }[]
}

/** State and actions of the drafts store. A place is a conversation's key, or `newDraftPlace`. */
export interface DraftsState {
  readonly drafts: Readonly<Record<string, Draft>>
  /** Drafts that the browser's storage refused: they live until the window closes. */
  readonly notKept: Readonly<Record<string, boolean>>
  /** Drafts whose text files the storage refused: they live until the window closes. */
  readonly filesNotKept: Readonly<Record<string, boolean>>
  readonly attached: Readonly<Record<string, readonly AttachedImage[]>>
  /** Text files of drafts whose files changed or were asked for; `textsAt` has those of all. */
  readonly texts: Readonly<Record<string, readonly AttachedText[]>>
  /** How many readings of files a draft waits for: a message sent now would go without them. */
  readonly reading: Readonly<Record<string, number>>
  /** PDFs that are being read for a draft. */
  readonly readingPdfs: Readonly<Record<string, readonly PdfOfDraft[]>>
  /** Why the file given last is not attached, in words. */
  readonly attachFaults: Readonly<Record<string, string>>
  /** Switches to the drafts of a home; does nothing for the present one. */
  enter(home: string): void
  get(place: string): Draft
  /** Returns the text files of a draft; the first call reads the stored ones. */
  textsAt(place: string): readonly AttachedText[]
  set(place: string, draft: Draft): void
  /** Forgets the text, the images and the files. */
  clear(place: string): void
  /** Moves a draft to another place and replaces the one there; does nothing for an empty draft. */
  move(from: string, to: string): void
  /** Attaches images and text files within the limits of a message; the first fault is kept, `fault` before all others. */
  attach(place: string, given: readonly ReadTextFile[], fault?: string): void
  /**
   * Attaches what is being read, when it has come, wherever the draft was moved meanwhile; drops it where the draft was sent or cleared, or
   * another home is open.
   */
  attachRead(place: string, read: Promise<ReadFiles>): Promise<void>
  /** Stops the reading of a PDF, which is dropped. */
  stopReading(place: string, id: string): void
  detach(place: string, id: string): void
  dismissAttachFault(place: string): void
}
/** Store of the drafts. */
export type DraftsStore = StoreApi<DraftsState>

/** Place of the draft that begins a new conversation. No context can have this name. */
export const newDraftPlace = ' new'

/** Makes the store of drafts by place. Texts and text files are kept over reloads and crashes, images are not. PDFs are read as they are attached. */
export function createDraftsStore(
  kept: KeyValueStorage,
  readPdf: ReadPdf<AbortSignal> = async () => ({ fault: 'is a PDF, which is not read here' }),
): DraftsStore {
  let home: string | undefined
  let count = 0
  const nameOf = (place: string) => `skein.draft:${home ?? ''}:${place}`
  const textsNameOf = (place: string) => `skein.draft-files:${home ?? ''}:${place}`
  /** Stored text files that were read: each reading would decode them anew. */
  const found = new Map<string, readonly AttachedText[]>()
  /** Readings that drafts wait for; one without a place is dropped when it ends. */
  const readings = new Set<Reading>()

  return createStore<DraftsState>()((set, get) => {
    function keepTexts(place: string, texts: readonly AttachedText[]): void {
      const isKept = storeTexts(kept, textsNameOf(place), texts)
      set((state) => ({
        texts: { ...state.texts, [place]: texts },
        filesNotKept: { ...state.filesNotKept, [place]: !isKept },
      }))
    }

    /** Attaches the first PDF of a reading when it is read; a stopped one is dropped. Its fault stands behind those before. */
    async function attachPdf(mine: Reading): Promise<void> {
      showReadings()
      const [first] = mine.pdfs
      if (first === undefined) return
      const read = first.stop.signal.aborted
        ? undefined
        : await withPdfText(first.file, readPdf, first.stop.signal)
      mine.pdfs = mine.pdfs.slice(1)
      const { place } = mine
      if (read === undefined || place === undefined || first.stop.signal.aborted) return
      const { [place]: before } = get().attachFaults
      get().attach(place, 'file' in read ? [read.file] : [])
      const now = 'fault' in read ? read.fault : get().attachFaults[place]
      const said = [before, now].filter((one) => one !== undefined)
      if (said.length > 0)
        set(({ attachFaults }) => ({ attachFaults: { ...attachFaults, [place]: said.join(' ') } }))
    }

    function showReadings(): void {
      const reading: Record<string, number> = {}
      const readingPdfs: Record<string, readonly PdfOfDraft[]> = {}
      for (const { place, pdfs } of readings) {
        if (place === undefined) continue
        reading[place] = (reading[place] ?? 0) + 1
        const shown = pdfs.map(({ id, file }) => ({ id, name: shownFileName(file.name) }))
        readingPdfs[place] = [...(readingPdfs[place] ?? []), ...shown]
      }
      set({ reading, readingPdfs })
    }

    /** Gives the readings of one draft, or of all, to another one, or to none. */
    function moveReadings(from: string | undefined, to: string | undefined): void {
      for (const one of readings) {
        if (from !== undefined && one.place !== from) continue
        one.place = to
        if (to === undefined) for (const { stop } of one.pdfs) stop.abort()
      }
      showReadings()
    }

    return {
      reading: {},
      readingPdfs: {},
      drafts: {},
      notKept: {},
      filesNotKept: {},
      attached: {},
      texts: {},
      attachFaults: {},

      enter(path) {
        // Images and drafts too long to be stored are nowhere else.
        if (path === home) return
        home = path
        moveReadings(undefined, undefined)
        found.clear()
        set({
          drafts: {},
          notKept: {},
          filesNotKept: {},
          attached: {},
          texts: {},
          attachFaults: {},
        })
      },

      get(place) {
        return get().drafts[place] ?? parsed(kept.get(nameOf(place)))
      },

      textsAt(place) {
        const texts =
          get().texts[place] ?? found.get(place) ?? storedTexts(kept, textsNameOf(place))
        found.set(place, texts)
        return texts
      },

      set(place, draft) {
        const isKept = kept.set(nameOf(place), JSON.stringify(draft))
        set(({ drafts, notKept }) => ({
          drafts: { ...drafts, [place]: draft },
          notKept: { ...notKept, [place]: !isKept },
        }))
      },

      clear(place) {
        moveReadings(place, undefined)
        kept.remove(nameOf(place))
        kept.remove(textsNameOf(place))
        set(({ drafts, notKept, filesNotKept, attached, texts, attachFaults }) => ({
          drafts: { ...drafts, [place]: { text: '' } },
          notKept: { ...notKept, [place]: false },
          filesNotKept: { ...filesNotKept, [place]: false },
          attached: without(attached, place),
          texts: { ...texts, [place]: [] },
          attachFaults: without(attachFaults, place),
        }))
      },

      move(from, to) {
        const draft = get().get(from)
        const images = get().attached[from] ?? []
        const texts = get().textsAt(from)
        const isEmpty = draft.text === '' && images.length === 0 && texts.length === 0
        if (isEmpty && get().reading[from] === undefined) return
        moveReadings(to, undefined)
        moveReadings(from, to)
        get().clear(from)
        get().set(to, draft)
        set(({ attached }) => ({ attached: { ...attached, [to]: images } }))
        keepTexts(to, texts)
      },

      attach(place, given, known) {
        let fault = known
        const all = [...(get().attached[place] ?? [])]
        const texts = [...get().textsAt(place)]
        for (const one of given) {
          const isImage = imageTypeOf(one.bytes) !== undefined
          const read = isImage ? undefined : readTextFile(one, texts)
          const wrong = read === undefined ? imagesFault([...all, one]) : read.fault
          if (read?.text !== undefined) texts.push(read.text)
          else if (wrong === undefined) all.push({ ...one, id: `image-${++count}` })
          fault ??= wrong
        }
        if (texts.length > get().textsAt(place).length) keepTexts(place, texts)
        set(({ attached, attachFaults }) => ({
          attached: { ...attached, [place]: all },
          attachFaults:
            fault === undefined
              ? without(attachFaults, place)
              : { ...attachFaults, [place]: fault },
        }))
      },

      async attachRead(place, read) {
        const mine: Reading = { place, pdfs: [] }
        readings.add(mine)
        showReadings()
        try {
          const { given, fault } = await read
          const [pdfs, others] = parted(given, needsReading)
          if (mine.place !== undefined) get().attach(mine.place, others, fault)
          mine.pdfs = pdfs.map((file) => ({
            id: `pdf-${++count}`,
            file,
            stop: new AbortController(),
          }))
          while (mine.pdfs.length > 0) await attachPdf(mine)
        } finally {
          readings.delete(mine)
          showReadings()
        }
      },

      stopReading(place, id) {
        for (const one of readings)
          if (one.place === place) for (const pdf of one.pdfs) if (pdf.id === id) pdf.stop.abort()
      },

      detach(place, id) {
        const texts = get().textsAt(place)
        if (texts.some((text) => text.id === id))
          keepTexts(
            place,
            texts.filter((text) => text.id !== id),
          )
        set(({ attached, attachFaults }) => ({
          attached: {
            ...attached,
            [place]: (attached[place] ?? []).filter((image) => image.id !== id),
          },
          attachFaults: without(attachFaults, place),
        }))
      },

      dismissAttachFault: (place) =>
        set(({ attachFaults }) => ({ attachFaults: without(attachFaults, place) })),
    }
  })
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function without<T>(
  record: Readonly<Record<string, T>>,
  place: string,
): Readonly<Record<string, T>> {
  const { [place]: _gone, ...rest } = record
  return rest
}

function parsed(text: string | undefined): Draft {
  if (text === undefined) return { text: '' }
  try {
    const draft: unknown = JSON.parse(text)
    if (typeof draft !== 'object' || draft === null) return { text: '' }
    const { text: message, fields } = draft as Record<string, unknown>
    const names = Array.isArray(fields) ? fields.filter((one) => typeof one === 'string') : []
    return {
      text: typeof message === 'string' ? message : '',
      ...(names.length === 0 ? {} : { fields: names }),
    }
  } catch {
    // A foreign value under this name; the next change overwrites it.
    return { text: '' }
  }
}
