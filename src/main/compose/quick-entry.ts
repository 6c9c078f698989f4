import type { QuickMessage, QuickView } from '../../shared/ipc/app/quick'
import { AppError } from '../../shared/model/basics/errors'

/** Dependencies of the quick entry. */
export interface QuickEntryDeps {
  /** Its window; made when it is first shown. */
  readonly window: {
    show(): void
    hide(): void
    isShown(): boolean
  }
  /** What it shows besides the draft. */
  readonly view: () => Promise<Omit<QuickView, 'draft'>>
  readonly draft: () => Promise<string | undefined>
  readonly keepDraft: (text: string) => Promise<void>
  /** Whether a home is open, in which a message can be written. */
  readonly hasHome: () => boolean
  /** Tells the app window that a message waits, and brings it to the front. */
  readonly handOver: () => void
  /** Tells the window of the quick entry what it shows. */
  readonly shown: (view: QuickView) => void
  readonly note: (error: unknown) => void
}

/** Small window for a message, which the app window sends. */
export interface QuickEntry {
  /** Shows it, or hides it where it is in front already. */
  toggle(): void
  show(): void
  hide(): void
  view(): Promise<QuickView>
  /** Resolves when the app window has taken the message. @throws AppError `not-found` */
  send(message: QuickMessage): Promise<void>
  keep(text: string): Promise<void>
  /** Gives the oldest message that waits to the app window, once. */
  take(): QuickMessage | undefined
}

/** Makes the quick entry; nothing is shown and nothing read yet. */
export function openQuickEntry(deps: QuickEntryDeps): QuickEntry {
  const { window } = deps
  const waiting: { readonly message: QuickMessage; readonly taken: () => void }[] = []
  /** The draft as it was last told; undefined before it was read. */
  let draft: string | undefined

  async function view(): Promise<QuickView> {
    const rest = await deps.view()
    draft ??= (await deps.draft()) ?? ''
    return { ...rest, draft }
  }

  async function keep(text: string): Promise<void> {
    draft = text
    await deps.keepDraft(text)
  }

  function show(): void {
    window.show()
    void view().then(deps.shown, deps.note)
  }

  return {
    toggle: () => (window.isShown() ? window.hide() : show()),
    show,
    hide: () => window.hide(),
    view,
    async send(message) {
      if (!deps.hasHome())
        throw new AppError('not-found', 'Skein has no home yet: choose one in its window first.')
      const taken = new Promise<void>((resolve) => {
        waiting.push({ message, taken: resolve })
      })
      deps.handOver()
      await taken
      window.hide()
      await keep('')
    },
    keep,
    take() {
      const next = waiting.shift()
      next?.taken()
      return next?.message
    },
  }
}
