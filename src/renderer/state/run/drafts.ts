import { createStore, type StoreApi } from 'zustand/vanilla'
import { type GivenImage, imagesFault } from '../../../shared/model/conversation/images'
import type { KeyValueStorage } from '../base/storage'

/** A message that is being written. */
export interface Draft {
  readonly text: string
  /** The name of the conversation that the message will begin; of no use where one is open. */
  readonly name?: string
}

/** An image that goes with a message. It lives in this window alone: the browser's storage is too small for it. */
export interface AttachedImage extends GivenImage {
  readonly id: string
}

export interface DraftsState {
  readonly drafts: Readonly<Record<string, Draft>>
  /** Drafts that the browser's storage refused: they live until the window closes. */
  readonly notKept: Readonly<Record<string, boolean>>
  readonly attached: Readonly<Record<string, readonly AttachedImage[]>>
  /** Why something that was given last is not attached, in words. */
  readonly attachFaults: Readonly<Record<string, string>>
  /** Goes over to the drafts of a home; where it is that home's already, all stays as it is. */
  enter(home: string): void
  get(place: string): Draft
  set(place: string, draft: Draft): void
  /** Forgets the text and the images. */
  clear(place: string): void
  /** What is being written at a place goes to another one, and takes the place of what is there; nothing where there is nothing. */
  move(from: string, to: string): void
  /** Attaches what a message can take; a fault tells of the first that it cannot. `fault`: what is known already. */
  attach(place: string, images: readonly GivenImage[], fault?: string): void
  detach(place: string, id: string): void
  dismissAttachFault(place: string): void
}
export type DraftsStore = StoreApi<DraftsState>

/** The place of the draft that begins a new conversation. No context can have this name. */
export const newDraftPlace = ' new'

/** Unsent messages by conversation, kept over reloads and crashes. */
export function createDraftsStore(kept: KeyValueStorage): DraftsStore {
  let home: string | undefined
  let count = 0
  const nameOf = (place: string) => `skein.draft:${home ?? ''}:${place}`

  return createStore<DraftsState>()((set, get) => ({
    drafts: {},
    notKept: {},
    attached: {},
    attachFaults: {},

    enter(path) {
      // Images, and what was too long to be kept, are nowhere else.
      if (path === home) return
      home = path
      set({ drafts: {}, notKept: {}, attached: {}, attachFaults: {} })
    },

    get(place) {
      return get().drafts[place] ?? parsed(kept.get(nameOf(place)))
    },

    set(place, draft) {
      const isKept = kept.set(nameOf(place), JSON.stringify(draft))
      set(({ drafts, notKept }) => ({
        drafts: { ...drafts, [place]: draft },
        notKept: { ...notKept, [place]: !isKept },
      }))
    },

    clear(place) {
      kept.remove(nameOf(place))
      set(({ drafts, notKept, attached, attachFaults }) => ({
        drafts: { ...drafts, [place]: { text: '' } },
        notKept: { ...notKept, [place]: false },
        attached: without(attached, place),
        attachFaults: without(attachFaults, place),
      }))
    },

    move(from, to) {
      const draft = get().get(from)
      const images = get().attached[from] ?? []
      if (draft.text === '' && images.length === 0) return
      get().clear(from)
      get().set(to, draft)
      set(({ attached }) => ({ attached: { ...attached, [to]: images } }))
    },

    attach(place, images, known) {
      let fault = known
      const all = [...(get().attached[place] ?? [])]
      for (const image of images) {
        const found = imagesFault([...all, image])
        if (found === undefined) all.push({ ...image, id: `image-${++count}` })
        fault ??= found
      }
      set(({ attached, attachFaults }) => ({
        attached: { ...attached, [place]: all },
        attachFaults:
          fault === undefined ? without(attachFaults, place) : { ...attachFaults, [place]: fault },
      }))
    },

    detach: (place, id) =>
      set(({ attached, attachFaults }) => ({
        attached: {
          ...attached,
          [place]: (attached[place] ?? []).filter((image) => image.id !== id),
        },
        attachFaults: without(attachFaults, place),
      })),

    dismissAttachFault: (place) =>
      set(({ attachFaults }) => ({ attachFaults: without(attachFaults, place) })),
  }))
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
    const { text: message, name } = draft as Record<string, unknown>
    return {
      text: typeof message === 'string' ? message : '',
      ...(typeof name === 'string' ? { name } : {}),
    }
  } catch {
    // Somebody else's value under our name; it is overwritten with the next letter.
    return { text: '' }
  }
}
