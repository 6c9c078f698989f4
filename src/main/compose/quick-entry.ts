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
  /** Undefined while it is not chosen, or cannot be read. */
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
    isShown(): boolean
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

  async function send({
    home: id,
    id: draftId,
    text,
    key,
  }: QuickMessage): Promise<QuickDraftNames> {
    const { id: here, home } = deps.place()
    if (id !== here)
      throw new AppError(
        'not-found',
        'Skein has another home open now. The draft is kept with its own.',
      )
    if (home === undefined)
      throw new AppError('not-found', 'Skein has no home yet: choose one in its window first.')
    const book = bookOf(id)
    return book.turns.run(async () => {
      const before = await settled(book, home)
      if (book.sent.get(draftId) === text) return { home: id, id: before.id }
      if (before.id !== draftId) throw notThatDraft()
      const sentTo = await deliver(book, home, { id: before.id, text }, key)
      window.hide()
      deps.open(sentTo.key)
      return { home: id, id: sentTo.next.id }
    })
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

/** Writes the message; resolves to its conversation, and the next draft. @throws AppError: then nothing is written, or a person is told that it may be */
async function deliver(
  book: Book,
  home: QuickHome,
  { id, text }: { readonly id: EntryId; readonly text: string },
  wanted: LibraryKey | undefined,
): Promise<{ readonly key: LibraryKey; readonly next: QuickDraft }> {
  // First as a draft: a disk that takes no words takes no message either, and the window still has them.
  await put(book, { id, text })
  const attempted = (key: LibraryKey) => put(book, { id, text, sending: { key, text } })
  let key = wanted
  try {
    if (key === undefined) key = (await home.contexts.begin({ text, entryId: id }, attempted)).key
    else {
      await attempted(key)
      await home.runs.start({ context: key, text, entryId: id, create: false })
    }
  } catch (error) {
    // What was written before the failure counts: sent again it would be there twice.
    const at = book.draft?.sending?.key
    const next = await settled(book, home)
    if (at === undefined || !book.sent.has(id)) throw error
    return { key: at, next }
  }
  book.sent.set(id, text)
  const next = emptyDraft()
  book.draft = next
  // Where that fails, the file still says where the message is, which the next start finds there.
  await book.file.write(next).catch(() => undefined)
  return { key, next }
}

/** Reads the draft, and finds out whether one whose sending did not end was written. */
async function settled(book: Book, home: QuickHome | undefined): Promise<QuickDraft> {
  book.draft ??= await book.file.read()
  const { id, text, sending } = book.draft
  if (sending === undefined || home === undefined) return book.draft
  switch (await isWritten(home, sending.key, id)) {
    case 'yes':
      book.sent.set(id, sending.text)
      await put(book, emptyDraft(text === sending.text ? '' : text))
      break
    case 'no':
      await put(book, { id, text })
      break
    default:
      book.notice = `This may have been sent to “${sending.key}”, which cannot be read now: look there first.`
      await put(book, emptyDraft(text))
  }
  return book.draft
}

async function isWritten(
  { transcripts }: QuickHome,
  key: LibraryKey,
  id: EntryId,
): Promise<'yes' | 'no' | 'unknown'> {
  try {
    return (await transcripts.locate(key, id)) === undefined ? 'no' : 'yes'
  } catch (error) {
    return error instanceof AppError && error.code === 'not-found' ? 'no' : 'unknown'
  }
}

function notThatDraft(): AppError {
  return new AppError('bad-argument', 'The quick entry has another draft now.')
}
