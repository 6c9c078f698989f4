import { FileInput, FilePlus, FolderPlus } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { SourceDrift } from '../../../shared/model/drift/drift'
import type { SourceRoot, SourceRootView } from '../../../shared/model/settings/source-roots'
import { useDrift, useLibraryState, useSources, useStores } from '../../state/context'
import { focusWhenDrawn } from '../../ui/behaviour/focus'
import { Button } from '../../ui/controls/Button'
import { fixedRootsText } from '../../ui/format/root-labels'
import { FailureNote } from '../../ui/notes/FailureNote'
import { Note } from '../../ui/notes/Note'
import { RefusalNote } from '../../ui/notes/RefusalNote'
import { ImportProgress } from './ImportProgress'
import { SourceChoice } from './SourceChoice'
import { SourceRow } from './SourceRow'
import { ImportedNotes, SourcesFoot, SourcesNews } from './SourcesFoot'
import { shownRoots } from './shown-roots'

/** Section of Settings for the roots of other systems' histories. */
export function SourcesSection() {
  const { sources, drift } = useStores()
  const view = useSources((state) => state.view)
  const failure = useSources((state) => state.failure)
  const refusal = useSources((state) => state.refusal)
  const imported = useSources((state) => state.imported)
  const failures = useSources((state) => state.failures)
  const isImporting = useSources((state) => state.isImporting)
  const list = useRef<HTMLDivElement>(null)
  const outcome = useRef<HTMLDivElement>(null)
  const add = useRef<HTMLButtonElement>(null)

  useEffect(() => void sources.getState().load(), [sources])
  // In the middle, since rows may still grow. The list above it is long, and what was dropped or opened was not picked down here.
  const news = [
    isImporting ? 'importing' : '',
    ...imported.map(({ name }) => name),
    ...failures,
    refusal?.message ?? '',
  ].join('')
  const isShown = view !== undefined
  useEffect(() => {
    if (isShown && news !== '') outcome.current?.scrollIntoView({ block: 'center' })
  }, [isShown, news])
  const drifts = useDrift(({ found }) => found)
  const driftFailure = useDrift((state) => state.failure)
  const conversations = useLibraryState((state) => state.conversations)
  const isListed = useLibraryState(({ phase }) => phase === 'ready')
  useEffect(() => () => drift.getState().leave(), [drift])
  // What was counted meanwhile is in the rows of the library, too.
  useEffect(() => {
    if (isListed && conversations !== undefined) drift.getState().follow()
  }, [drift, isListed, conversations])

  /** Focuses the row in the place of the removed one, else the button that adds one. */
  function focusNear(at: number): void {
    focusWhenDrawn(() => {
      const controls = list.current?.querySelectorAll<HTMLElement>('[data-root-control]') ?? []
      return controls[Math.min(at, controls.length - 1)] ?? add.current
    })
  }

  async function remove(root: SourceRootView): Promise<void> {
    const focused = document.activeElement
    const controls: readonly (Element | null)[] = [
      ...(list.current?.querySelectorAll('[data-root-control]') ?? []),
    ]
    const at = controls.indexOf(focused)
    if (await sources.getState().remove(root)) focusNear(Math.max(at, 0))
  }

  /** Its note goes with it: the button that adds one gets the focus. */
  async function removeAdded(root: SourceRoot): Promise<void> {
    if (await sources.getState().remove(root)) focusWhenDrawn(() => add.current)
  }

  return (
    <>
      {failure !== undefined && (
        <FailureNote
          title="Sources could not be loaded."
          failure={failure}
          onAgain={() => void sources.getState().load()}
        />
      )}
      {view !== undefined && (
        <>
          {view.faults.map((fault) => (
            <Note key={fault} tone="warn">
              {fault}
            </Note>
          ))}
          {fixedRootsText(view.from) !== undefined && (
            <Note tone="info">{fixedRootsText(view.from)}</Note>
          )}
          <div ref={list}>
            {shownRoots(view.roots).map((root) => (
              <SourceRow
                key={`${root.source}\0${root.path}`}
                root={root}
                drift={driftOf(root, view.roots, drifts)}
                isEditable={view.from === 'settings'}
                onTurn={(isOn) => void sources.getState().turn(root, isOn)}
                onRemove={() => void remove(root)}
                onBackUp={(isOn) => void sources.getState().backUp(root, isOn)}
                onDeleteBackup={() => sources.getState().deleteBackup(root)}
              />
            ))}
          </div>
          {driftFailure !== undefined && (
            <FailureNote
              title="What is new in these histories could not be loaded."
              failure={driftFailure}
              onAgain={() => void drift.getState().load()}
            />
          )}
          <SourcesFoot view={view} />
          <div ref={outcome} className="import-outcome">
            {view.importing !== null && <ImportProgress importing={view.importing} />}
            <ImportedNotes roots={view.roots} onRemove={(root) => void removeAdded(root)} />
            <RefusalNote title="Nothing was changed." refusal={refusal} />
          </div>
          {view.from === 'settings' && <AddRoots firstButton={add} />}
          <SourcesNews view={view} />
        </>
      )}
    </>
  )
}

/** The first root of a source with conversations has what is new in all of them. */
function driftOf(
  root: SourceRootView,
  roots: readonly SourceRootView[],
  drifts: readonly SourceDrift[] = [],
): SourceDrift | undefined {
  const first = roots.find(
    ({ source, state }) =>
      source === root.source && 'conversations' in state && state.conversations > 0,
  )
  return first === root ? drifts.find(({ source }) => source === root.source) : undefined
}

function AddRoots(props: { readonly firstButton: RefObject<HTMLButtonElement | null> }) {
  const { firstButton } = props
  const { sources } = useStores()
  const adding = useSources((state) => state.adding)
  const choice = useSources((state) => state.choice)
  const isImporting = useSources((state) => state.isImporting)
  const systems = useSources(({ view }) => view?.systems) ?? []

  const backToAdd = () => focusWhenDrawn(() => firstButton.current)

  return (
    <>
      {choice !== undefined && (
        <SourceChoice
          shown={choice.shown}
          found={choice.found}
          systems={systems}
          isBusy={adding === 'choice'}
          onChoose={async (source) => {
            if (await sources.getState().addAs(source)) backToAdd()
          }}
          onCancel={() => {
            sources.getState().cancelChoice()
            backToAdd()
          }}
        />
      )}
      <div className="settings-after source-add">
        <Button
          ref={firstButton}
          isSmall
          icon={FolderPlus}
          isBusy={adding === 'folder'}
          onClick={() => void sources.getState().add('folder')}
        >
          Add a folder…
        </Button>
        <Button
          isSmall
          icon={FilePlus}
          isBusy={adding === 'file'}
          onClick={() => void sources.getState().add('file')}
        >
          Add a file…
        </Button>
        <Button
          isSmall
          icon={FileInput}
          isBusy={isImporting}
          onClick={() => void sources.getState().import()}
        >
          Import an export…
        </Button>
      </div>
    </>
  )
}
