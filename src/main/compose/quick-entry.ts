import type {
  QuickDraftNames,
  QuickMessage,
  QuickView,
  QuickWords,
} from '../../shared/ipc/app/quick'
import { AppError } from '../../shared/model/basics/errors'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { EntryId } from '../../shared/model/conversation/entry'
import { Mutex } from '../async/mutex'
import type { Home } from '../home/home'
import { emptyDraft, type QuickDraft, type QuickDraftFile } from './quick-draft'
import type { QuickSurroundings } from './quick-view'

/** Home that the app window has, as the quick entry uses it. */
export interface QuickPlace {
  /** Short id of the home. */
  readonly id: string
  /** Undefined while it is not chosen, cannot be read, or is being left for another one. */
  readonly home: QuickHome | undefined
  /** Reads what is shown besides the draft. */
  readonly view: () => Promise<QuickSurroundings>
}

/** Parts of an open home by which a message is written. */
export interface QuickHome {
  readonly contexts: Pick<Home['contexts'], 'begin'>
  readonly runs: Pick<Home['runs'], 'start'>
  readonly transcripts: Pick<Home['transcripts'], 'locate'>
}

/** Dependencies of the quick entry. */
export interface QuickEntryDeps {
  /** Its window; made when it is first shown. */
  readonly window: {
    show(): void
    hide(): void
    /** Returns true where it is in front. */
    isShown(): boolean
    /** Returns true where it is there and nobody sees it. */
    isHidden(): boolean
  }
  readonly place: () => QuickPlace
  readonly draftOf: (home: string) => QuickDraftFile
  /** Shows a conversation in the app window, which comes to the front. */
  readonly open: (key: LibraryKey) => void
  /** Tells the window of the quick entry what it shows. */
  readonly shown: (view: QuickView) => void
  readonly note: (error: unknown) => void
}

/** Small window for a message, which main writes into a conversation. */
export interface QuickEntry {
  /** Shows it, or hides it where it is in front already. */
  toggle(): void
  show(): void
  hide(): void
  /**
   * Finds out of a message whose sending did not end whether it was written. Await it when a home was opened, before anybody can rename its
   * conversations: after a crash it reads one of them. Never rejects.
   */
  settle(): Promise<void>
  /** Tells its window what another home has there. */
  moved(): void
  view(): Promise<QuickView>
  /** Writes a message once; see `quickContract`. */
  send(message: QuickMessage): Promise<QuickDraftNames>
  keep(words: QuickWords): Promise<void>
}

/** Draft of one home. Whatever reads or changes it does so one after the other. */
interface Book {
  readonly file: QuickDraftFile
  readonly turns: Mutex
  /** As it is on the disk; undefined before it was read. */
  draft: QuickDraft | undefined
  /** Texts of the messages that are known to be sent, by id. */
  readonly sent: Map<string, string>
  notice: string | undefined
}

/**
 * Makes the quick entry; nothing is shown and nothing read yet.
 *
 * The words are on the disk at every moment: as the draft until the entry is durable, and then as the entry, whose id is the draft's. Before it
 * is written the draft's file says where; a process that ended in between looks there, so that nothing is sent twice, or lost.
 */
export function openQuickEntry(deps: QuickEntryDeps): QuickEntry {
  const { window } = deps
  const books = new Map<string, Book>()

  function bookOf(home: string): Book {
    const known = books.get(home)
    if (known !== undefined) return known
    const book = {
      file: deps.draftOf(home),
      turns: new Mutex(),
      draft: undefined,
      sent: new Map<string, string>(),
      notice: undefined,
    }
    books.set(home, book)
    return book
  }

  async function view(): Promise<QuickView> {
    const place = deps.place()
    const book = bookOf(place.id)
    const rest = await place.view()
    // Last: a draft that was sent meanwhile would come to the page after the answer to that.
    const draft = await book.turns.run(() => settled(book, place.home))
    const notice = book.notice === undefined ? {} : { notice: book.notice }
    return { ...rest, home: place.id, id: draft.id, draft: draft.text, ...notice }
  }

  function tell(): void {
    void view().then(deps.shown, deps.note)
  }

  function show(): void {
    window.show()
    tell()
  }

  async function settle(): Promise<void> {
    try {
      const { id, home } = deps.place()
      const book = bookOf(id)
      await book.turns.run(() => settled(book, home))
    } catch (error) {
      deps.note(error)
    }
  }

  /** @throws AppError `not-found` while another home is open, or none */
  function homeAt(id: string): QuickHome {
    const { id: here, home } = deps.place()
    if (id !== here)
      throw new AppError(
        'not-found',
        'Skein has another home open now. The draft is kept with its own.',
      )
    if (home === undefined)
      throw new AppError('not-found', 'Skein has no home open: choose one in its window first.')
    return home
  }

  async function write({
    home: id,
    id: draftId,
    text,
    key,
  }: QuickMessage): Promise<QuickDraftNames> {
    homeAt(id)
    const book = bookOf(id)
    return book.turns.run(async () => {
      // Asked again: Skein may have gone to another home while this waited.
      const home = homeAt(id)
      const before = await settled(book, home)
      if (book.sent.get(draftId) === text) return { home: id, id: before.id }
      if (before.id !== draftId) throw notThatDraft()
      const sentTo = await deliver(book, home, { ...before, text }, key)
      arrive(id, sentTo.key)
      return { home: id, id: sentTo.next.id }
    })
  }

  /** Leads to a message that is on the disk; a failure of a window is none of the message. */
  function arrive(id: string, key: LibraryKey): void {
    try {
      window.hide()
      if (deps.place().id === id) deps.open(key)
    } catch (error) {
      deps.note(error)
    }
  }

  async function send(message: QuickMessage): Promise<QuickDraftNames> {
    try {
      return await write(message)
    } catch (error) {
      // The reason is told in its window, which may have been hidden on the way.
      if (window.isHidden()) show()
      throw error
    }
  }

  async function keep({ home, id, text }: QuickWords): Promise<void> {
    const book = books.get(home)
    if (book === undefined) throw notThatDraft()
    await book.turns.run(async () => {
      book.draft ??= await book.file.read()
      if (book.sent.get(id) === text || (book.draft.id === id && book.draft.text === text)) return
      if (book.draft.id !== id) throw notThatDraft()
      await put(book, { ...book.draft, text })
      book.notice = undefined
    })
  }

  return {
    toggle: () => (window.isShown() ? window.hide() : show()),
    show,
    hide: () => window.hide(),
    settle,
    moved: tell,
    view,
    send,
    keep,
  }
}

async function put(book: Book, draft: QuickDraft): Promise<void> {
  await book.file.write(draft)
  book.draft = draft
}

/**
 * Codes of refusals that come before anything is written: then nobody has to look for the message, which would read the conversation. See
 * `Runs.start`.
 */
const refusals: ReadonlySet<string> = new Set([
  'busy',
  'locked',
  'no-key',
  'no-model',
  'not-found',
  'bad-argument',
])

/** Writes the message; resolves to its conversation, and the next draft. @throws AppError: then nothing is written, or a person is told that it may be */
async function deliver(
  book: Book,
  home: QuickHome,
  draft: QuickDraft,
  wanted: LibraryKey | undefined,
): Promise<{ readonly key: LibraryKey; readonly next: QuickDraft }> {
  const { id, text } = draft
  // First as a draft: a disk that takes no words takes no message either, and the window still has them.
  await put(book, draft)
  const attempted = (key: LibraryKey, begins: boolean) =>
    put(book, { id, text, sending: { key, text, begins } })
  let key = wanted
  try {
    if (key === undefined) {
      const first = { text, entryId: id }
      key = (await home.contexts.begin(first, (name) => attempted(name, true))).key
    } else {
      await attempted(key, false)
      await home.runs.start({ context: key, text, entryId: id, create: false })
    }
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) {
      await put(book, draft)
      throw error
    }
    // What was written before the failure counts: sent again it would be there twice.
    const at = book.draft?.sending?.key
    const next = await settled(book, home)
    if (at === undefined || !book.sent.has(id)) throw error
    return { key: at, next }
  }
  book.sent.set(id, text)
  book.notice = undefined
  const next = emptyDraft()
  book.draft = next
  // Where that fails, the file still says where the message is, which the next start finds there.
  await book.file.write(next).catch(() => undefined)
  return { key, next }
}

/**
 * Reads the draft, and finds out whether a message whose sending did not end was written. Where that cannot be known now, its place stays in
 * the file, a person is told, and it is asked again each time; the words have another id then, since they may be there already.
 */
async function settled(book: Book, home: QuickHome | undefined): Promise<QuickDraft> {
  book.draft ??= await book.file.read()
  const { id, text, sending } = book.draft
  if (sending === undefined || home === undefined) return book.draft
  const { id: sentId = id, text: sentText } = sending
  switch (await isWritten(home, sending, sentId)) {
    case 'yes': {
      book.sent.set(sentId, sentText)
      const isAll = text === sentText
      await put(book, isAll || sentId === id ? emptyDraft(isAll ? '' : text) : { id, text })
      book.notice = undefined
      break
    }
    case 'no':
      await put(book, { id, text })
      book.notice = undefined
      break
    default:
      book.notice = `This may have been sent to “${sending.key}”, which cannot be read now: look there first.`
      if (sentId === id)
        await put(book, { ...emptyDraft(text), sending: { ...sending, id: sentId } })
  }
  return book.draft
}

async function isWritten(
  { transcripts }: QuickHome,
  { key, begins = false }: NonNullable<QuickDraft['sending']>,
  id: EntryId,
): Promise<'yes' | 'no' | 'unknown'> {
  try {
    return (await transcripts.locate(key, id)) === undefined ? 'no' : 'yes'
  } catch (error) {
    // One that was to be made was not. One that was there has another name now, and the message perhaps.
    const isGone = error instanceof AppError && error.code === 'not-found'
    return isGone && begins ? 'no' : 'unknown'
  }
}

function notThatDraft(): AppError {
  return new AppError('bad-argument', 'The quick entry has another draft now.')
}
