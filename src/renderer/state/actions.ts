import type { HomeChoice } from '../../shared/ipc/app/app'
import { typedTextOf } from '../../shared/model/attachments/typed-text'
import { assertNever } from '../../shared/model/basics/errors'
import type { ComparePoint } from '../../shared/model/comparison/comparison-view'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { type EntryId, shownText } from '../../shared/model/conversation/entry'
import { rowKey } from '../../shared/model/conversation/transcript'
import type { BranchAction, BranchSummaryWish } from '../../shared/model/family/branching'
import type { StatisticsMark } from '../../shared/model/statistics/marks'
import type { KeyValueStorage } from './base/storage'
import { resumeQueues } from './follow/follow-queue'
import { coveringView } from './follow/follow-views'
import { createUndoActions, type UndoActions } from './follow/undo-actions'
import { openFirst } from './library/open-first'
import { comparedPoints } from './map/node-points'
import { createMessageActions, type MessageActions } from './message-actions'
import { isRunActive } from './run/completion'
import type { Stores } from './stores'
import { type BranchStart, type CreatedBranch, spotKey } from './transcript/branching'
import { editFault, isTypedByPerson } from './transcript/edit-fault'
import type { LandingOptions, LandingTarget, LinePoint } from './transcript/landing'
import type { LandingOutcome } from './transcript/transcript'
import { indexOfSeen, seenPointOf } from './transcript/unread'

/** Actions of a person that involve more than one store. */
export interface Actions extends MessageActions, UndoActions {
  /** Loads everything that the window shows first. */
  start(): Promise<void>
  openHome(choice: HomeChoice['type']): Promise<void>
  openConversation(key: LibraryKey): void
  /**
   * Opens a conversation at a place in it: brings the turn into view with what is folded around it, gives it the focus,
   * and highlights it. `false` when the line is gone (the conversation's end is shown, with a message) or cannot be read.
   */
  /** Opens the place of a link from outside, where one waits. */
  openLinked(): Promise<void>
  /** Imports the files that a person opened Skein with, once no dialog is open, and shows Settings, Sources meanwhile. */
  openFiles(): Promise<void>
  openAt(key: LibraryKey, target: LandingTarget, options?: LandingOptions): Promise<boolean>
  /**
   * Makes a context that continues from an entry, and opens it; resolves to whether it is open. With a wish, the branch
   * begins with a summary of what is left.
   */
  branch(
    spot: string,
    key: LibraryKey,
    at: BranchStart,
    action: BranchAction,
    summary?: BranchSummaryWish,
  ): Promise<boolean>
  /** Adopts a whole conversation of another system, and opens the new context. */
  takeOver(key: LibraryKey): Promise<boolean>
  /** Compares two conversations, each up to an entry or as it is now; without the second one, a person chooses it. */
  compare(left: ComparePoint, right?: ComparePoint): void
  /**
   * Compares the open conversation of the map with B, or with a node, which is B then. Where there is none, a person
   * chooses what to compare with.
   */
  compareOnMap(node: string | undefined): void
  /**
   * Continues from an entry in a branch of its own, or from a conversation's end; one of another system is adopted.
   * Resolves to whether the conversation to write to is open; a refusal is at the conversation's foot.
   */
  continueFrom(point: ComparePoint): Promise<boolean>
  /**
   * Goes to a person's message and opens it for an edit, which is sent as a new branch. Resolves to false where it is
   * not there or cannot be edited, with a message that says so.
   */
  editFrom(key: LibraryKey, entry: EntryId): Promise<boolean>
  /** Puts the last message of a person back as an edit; resolves to false where the loaded end of the open conversation has none that can be edited. */
  editLast(): Promise<boolean>
  newConversation(): void
  /** Goes to the first entry that came while nobody looked; does nothing where there is none. */
  goToNews(): void
  /**
   * Shows the conversations of a mark of the statistics in the library; resolves to their number, undefined where they
   * cannot be had.
   */
  showConversationsOf(mark: StatisticsMark, label: string): Promise<number | undefined>
  zoom(step: 'in' | 'out' | 'reset'): void
}

const lastOpenName = (home: string) => `skein.last:${home}`
const zoomSteps = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2]

/**
 * Makes the actions over the stores.
 *
 * @param kept holds the conversation that is opened at the next start
 * @param whenFree resolves when nothing is open that Settings must not cover
 */
export function createActions(
  stores: Stores,
  kept: KeyValueStorage,
  whenFree: () => Promise<void> = async () => {},
): Actions {
  const { app, library, transcript, reading, completion, settings, drafts, layout } = stores
  const { branches, branching, sources } = stores

  const home = () => app.getState().status?.home.path ?? ''
  /** Files that Skein is opened with wait for the end of a dialog; those that come meanwhile go with them. */
  let isAwaited = false

  /** Opens the conversation that was open last, else the newest; in a home without conversations a new one. */
  async function enterHome(): Promise<void> {
    drafts.getState().enter(home())
    stores.queue.getState().enter(home())
    stores.unread.getState().enter(home())
    await Promise.all([library.getState().load(), settings.getState().load()])
    const here = home()
    openFirst(library, {
      last: kept.get(lastOpenName(here)),
      isWanted: () => app.getState().place.type === 'none' && home() === here,
      open: actions.openConversation,
      openNew: actions.newConversation,
    })
  }

  /** Shows a conversation in the middle pane; `open` loads its rows. */
  function enterConversation<T>(key: LibraryKey, open: () => Promise<T>): Promise<T> {
    const summary = library.getState().conversations.find((known) => known.key === key)
    app.getState().show({ type: 'conversation', key })
    reading.getState().reset()
    completion.getState().forget(key)
    const opening = open()
    if (summary !== undefined) transcript.getState().foldLock(key, summary.lock)
    if (summary?.running || isRunActive(completion.getState().runs[key]))
      void completion.getState().resync()
    void settings.getState().loadFor(key)
    void branches.getState().load(key)
    kept.set(lastOpenName(home()), key)
    layout.getState().closeOverlay()
    return opening
  }

  /** Offers to undo a branch that was made without a question. */
  function offerUndo(made: CreatedBranch | undefined, from: LibraryKey): void {
    if (made !== undefined) void stores.undo.getState().offerBranch(made.key, from)
  }

  /** Opens a context that was just made; its run, if any, is active already. */
  function openMade(isStillHere: () => boolean, made: CreatedBranch | undefined): boolean {
    // A person who opened something else meanwhile stays there.
    if (made === undefined || !isStillHere()) return false
    actions.openConversation(made.key)
    if (made.runId !== undefined) void completion.getState().resync()
    return true
  }

  function isOpen(key: LibraryKey): boolean {
    const { place } = app.getState()
    return place.type === 'conversation' && place.key === key
  }

  /** Opens a place as `openAt` says, and lands at what `landsAt` makes of it; resolves to what came of it. */
  async function goTo(
    key: LibraryKey,
    target: LandingTarget,
    options: LandingOptions = {},
    landsAt = (place: LinePoint) => place,
  ): Promise<LandingOutcome['type']> {
    const { marked = [], found, keepsFocus, within, isReturn = false } = options
    const { at = 'third' as const } = options
    const wasOpen = isOpen(key)
    const isShown = wasOpen && coveringView(stores) === undefined
    const by = isReturn ? 'returning' : isShown ? 'moving' : 'opening'
    const go = () => transcript.getState().openAt(key, target)
    const arriving =
      wasOpen && transcript.getState().key === key ? go() : enterConversation(key, go)
    // Shown again where it is open already, so that a view over it closes.
    if (wasOpen) app.getState().show({ type: 'conversation', key })
    layout.getState().closeOverlay()
    const arrival = await arriving
    switch (arrival.type) {
      case 'there':
        reading.getState().land({
          key,
          place: landsAt(arrival.place),
          marked,
          found,
          keepsFocus,
          isJump: arrival.isFresh,
          at,
          within,
          by,
        })
        return 'there'
      case 'gone':
        reading
          .getState()
          .missPlace('That line is no longer in this conversation. The end is shown.')
        return arrival.type
      case 'failed':
        reading.getState().missPlace(arrival.failure.message)
        return arrival.type
      case 'left':
        return arrival.type
      default:
        return assertNever(arrival)
    }
  }

  const actions: Actions = {
    ...createMessageActions(stores, (key) => actions.openConversation(key)),
    ...createUndoActions(stores, (key) => actions.openConversation(key)),

    async start() {
      await app.getState().load()
      const status = app.getState().status
      if (status?.phase !== 'ready') {
        await settings.getState().load()
        return actions.openFiles()
      }
      await Promise.all([enterHome(), completion.getState().resync()])
      await actions.openLinked()
      resumeQueues(stores)
      await actions.openFiles()
    },

    async openHome(choice) {
      const before = app.getState().status?.home.path
      await app.getState().openHome(choice)
      const { status } = app.getState()
      if (status?.phase !== 'ready') return
      if (status.home.path !== before) {
        app.getState().show({ type: 'none' })
        transcript.getState().close()
        completion.getState().reset()
      }
      await enterHome()
      await actions.openLinked()
      await actions.openFiles()
    },

    openConversation(key) {
      void enterConversation(key, () => transcript.getState().open(key))
    },

    async openLinked() {
      if (app.getState().status?.phase !== 'ready') return
      const place = await app.getState().takeLink()
      if (place === undefined) return
      app.getState().closeSettings()
      const isListed = library.getState().conversations.some(({ key }) => key === place.key)
      const last = kept.get(lastOpenName(home()))
      const opening =
        place.entry === undefined
          ? actions.openConversation(place.key)
          : actions.openAt(place.key, { entry: place.entry })
      // A link may name anything: what is not here is not what the next start opens with.
      if (!isListed && last !== undefined) kept.set(lastOpenName(home()), last)
      await opening
    },

    async openFiles() {
      const isOpen = () => ['ready', 'first-run'].includes(app.getState().status?.phase ?? '')
      if (isAwaited || !isOpen() || !(await sources.getState().isOpenedWith())) return
      isAwaited = true
      await whenFree().finally(() => {
        isAwaited = false
      })
      if (!isOpen()) return
      app.getState().openSettings('sources')
      await sources.getState().importOpened()
    },

    async openAt(key, target, options) {
      return (await goTo(key, target, options)) === 'there'
    },

    async branch(spot, key, at, action, summary) {
      const { place } = app.getState()
      const made = await branching.getState().create(spot, key, at, action, summary)
      // An edit has a message of the person's in it.
      if (action.type === 'branch') offerUndo(made, key)
      return openMade(() => isOpen(key) || app.getState().place === place, made)
    },
    async takeOver(key) {
      const { key: shown, branches } = transcript.getState()
      const way = shown === key ? branches?.way : undefined
      const made = await branching.getState().takeOver(key, way)
      offerUndo(made, key)
      return openMade(() => isOpen(key), made)
    },

    compare(left, right) {
      layout.getState().closeOverlay()
      void stores.compare.getState().open(left, right)
    },

    compareOnMap(node) {
      const { key, marked, mark } = stores.map.getState()
      const points = comparedPoints(stores.map.getState(), node)
      if (points !== undefined && marked === undefined) mark(points.node)
      if (points !== undefined) actions.compare(points.left, points.right)
      else if (key !== undefined) actions.compare({ key })
    },

    async continueFrom({ key, entry }) {
      const isEnd = entry === undefined
      if (isEnd && parseLibraryKey(key).source === 'chibi') {
        actions.openConversation(key)
        return true
      }
      const { place } = app.getState()
      const { isOpen: wasComparing } = stores.compare.getState()
      const made = isEnd
        ? await branching.getState().takeOver(key)
        : await branching.getState().create(spotKey(key), key, { entry }, { type: 'branch' })
      offerUndo(made, key)
      return openMade(
        () => app.getState().place === place && stores.compare.getState().isOpen === wasComparing,
        made,
      )
    },

    async editFrom(key, entry) {
      if (!(await actions.openAt(key, { entry }))) return false
      const { run, shownAs } = transcript.getState()
      const row = run.rows.find((one) => one.type === 'entry' && one.entry.id === entry)
      const fault = row?.type === 'entry' ? editFault(row.entry) : undefined
      if (row?.type !== 'entry' || fault !== undefined) {
        reading.getState().refuseEdit(fault ?? 'This message is no longer here.')
        return false
      }
      const own = rowKey(row)
      const isOurs = parseLibraryKey(key).source === 'chibi'
      branching
        .getState()
        .openEdit(
          spotKey(key, shownAs.get(own) ?? own),
          isOurs ? typedTextOf(row.entry) : shownText(row.entry),
        )
      return true
    },

    goToNews() {
      const { border } = stores.unread.getState()
      const { key } = transcript.getState()
      if (border === undefined || border.key !== key) return
      const firstNews = () => {
        const { rows } = transcript.getState().run
        const at = indexOfSeen(rows, border.after)
        const row = at < 0 ? undefined : rows[at + 1]
        return row && seenPointOf(row)
      }
      // Where it is not loaded, it comes with what was seen last.
      const landsAt = (place: LinePoint) => firstNews() ?? place
      void goTo(key, firstNews() ?? border.after, {}, landsAt).then((outcome) => {
        const { border: now, setBorder } = stores.unread.getState()
        if (now?.after !== border.after || (outcome !== 'there' && outcome !== 'gone')) return
        // The line may be gone, or another row be at its place.
        const isThere = indexOfSeen(transcript.getState().run.rows, now.after) >= 0
        // Where nothing is drawn for what came, no border comes into view.
        setBorder(isThere ? { ...now, isSeen: true } : undefined)
      })
    },

    async editLast() {
      const { key, run } = transcript.getState()
      // What is loaded is another part of it: its last message is not the last.
      if (key === undefined || !run.atEnd) return false
      const last = run.rows.findLast((row) => row.type === 'entry' && isTypedByPerson(row.entry))
      if (last?.type !== 'entry') return false
      return actions.editFrom(key, last.entry.id)
    },

    newConversation() {
      transcript.getState().close()
      app.getState().show({ type: 'draft' })
      layout.getState().closeOverlay()
    },

    async showConversationsOf(mark, label) {
      const keys = await stores.statistics.getState().conversationsOf(mark)
      if (keys === undefined || !stores.statistics.getState().isOpen) return undefined
      library.getState().setPicked({ label, keys: new Set(keys) })
      layout.getState().open('library')
      return keys.length
    },

    zoom(step) {
      const now = settings.getState().view?.preferences.textZoom ?? 1
      const next =
        step === 'reset'
          ? 1
          : step === 'in'
            ? zoomSteps.find((zoom) => zoom > now + 0.001)
            : zoomSteps.findLast((zoom) => zoom < now - 0.001)
      if (next !== undefined) void settings.getState().setPreferences({ textZoom: next })
    },
  }
  return actions
}
