import { visibleText } from '../../../shared/model/basics/visible'
import {
  type ImportedExport,
  importedSentences,
  otherSystems,
  type SourceRoot,
  type SourcesView,
} from '../../../shared/model/settings/source-roots'
import { useSources, useStores } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { rootTotalText } from '../../ui/format/root-labels'
import { LiveRegion } from '../../ui/notes/LiveRegion'
import { Note } from '../../ui/notes/Note'

/**
 * Foot of the sources: totals of all roots, or the progress of a scan, and a button to start or stop it. Always
 * present, so that nothing moves.
 */
export function SourcesFoot(props: { readonly view: SourcesView }) {
  const { looking, roots } = props.view
  const { sources } = useStores()
  const isStopped = roots.some(({ state }) => state.type === 'stopped')
  if (roots.length === 0 && looking === null) return null
  return (
    <div className="settings-after sources-foot">
      <span className={`small number ${isStopped && looking === null ? 'warn-t' : 't2'}`}>
        {looking === null
          ? endWords(props.view)
          : `Scanning: ${formatQuantity(looking.files, 'file')}`}
      </span>
      {/* One button for both, so that it keeps the focus. */}
      <Button
        kind="ghost"
        isSmall
        onClick={() => {
          const { lookAgain, stop } = sources.getState()
          void (looking === null ? lookAgain() : stop())
        }}
      >
        {looking === null ? 'Scan again' : 'Stop'}
      </Button>
    </div>
  )
}

/**
 * Notes on what came of the last import, for what the list of sources does not show: what was there before, left out, or cannot be read. A
 * file that is now read where it lies can be removed again.
 */
export function ImportedNotes(props: {
  readonly roots: SourcesView['roots']
  readonly onRemove: (root: SourceRoot) => void
}) {
  const { roots, onRemove } = props
  const imported = useSources((state) => state.imported)
  const failures = useSources((state) => state.failures)
  const told = imported.filter(
    ({ isNew, unread, conversations, isInPlace }) =>
      !isNew || unread !== undefined || conversations !== undefined || isInPlace,
  )
  return (
    <>
      {told.map((one) => (
        <ImportedNote
          key={one.added?.path ?? one.name}
          one={one}
          onRemove={isRemovable(one, roots) ? onRemove : undefined}
        />
      ))}
      {failures.map((words) => (
        <Note key={words} tone="warn">
          {visibleText(words)}
        </Note>
      ))}
    </>
  )
}

/** Note on one file of an import. */
export function ImportedNote(props: {
  readonly one: ImportedExport
  /** Absent where nothing was added that could be removed. */
  readonly onRemove?: ((root: SourceRoot) => void) | undefined
}) {
  const { one, onRemove } = props
  const { added, name, unread } = one
  return (
    <Note
      tone={unread === undefined ? 'info' : 'warn'}
      actions={
        added !== undefined && onRemove !== undefined ? (
          <Button isSmall onClick={() => onRemove(added)}>
            Remove<span className="unseen"> {visibleText(name)} from Sources</span>
          </Button>
        ) : undefined
      }
    >
      {importedWords(one)}
    </Note>
  )
}

/** Also one that stood in the list before, and was off, was added: it is turned off there. */
function isRemovable({ added }: ImportedExport, roots: SourcesView['roots']): boolean {
  return roots.some(
    ({ source, path, origin }) =>
      origin === 'added' && source === added?.source && path === added.path,
  )
}

/**
 * Live region for screen readers: roots added and removed, a scan's start and its outcome, but no number in between.
 */
export function SourcesNews(props: { readonly view: SourcesView }) {
  const { looking } = props.view
  const added = useSources((state) => state.added)
  const removed = useSources((state) => state.removed)
  const imported = useSources((state) => state.imported)
  const failures = useSources((state) => state.failures)
  const importing = props.view.importing?.name
  const root = props.view.roots.find(
    ({ source, path }) => source === added?.source && path === added.path,
  )
  const acts = [
    root === undefined ? '' : `${root.label} ${visibleText(root.shown)} was added.`,
    ...imported.map(importedWords),
    ...failures.map((words) => visibleText(words)),
    importing === undefined ? '' : `Importing ${visibleText(importing)}.`,
    removed === undefined ? '' : `${visibleText(removed)} was removed.`,
  ]
  const words = looking === null ? endWords(props.view) : 'Scanning for files.'
  return <LiveRegion>{[...acts, words].filter((text) => text !== '').join(' ')}</LiveRegion>
}

function importedWords(one: ImportedExport): string {
  const { name, sources, isNew, unread, conversations, isInPlace } = one
  if (isInPlace)
    return isNew
      ? `${visibleText(name)} was added: it is read where it lies.`
      : `${visibleText(name)} is read already.`
  const words =
    conversations === undefined
      ? `${visibleText(name)} was imported${isNew ? '' : ' before'}.`
      : `${visibleText(name)}: ${importedSentences(conversations, otherSystems(sources)).join(' ')}`
  return unread === undefined ? words : `${words} Not all of it can be read: ${visibleText(unread)}`
}

function endWords({ roots }: SourcesView): string {
  const states = roots.map(({ state }) => state)
  const isStopped = states.some(({ type }) => type === 'stopped')
  return `${isStopped ? 'Stopped. Found so far: ' : ''}${rootTotalText(states)}`
}
