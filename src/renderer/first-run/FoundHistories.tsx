import { FileInput, FolderPlus } from 'lucide-react'
import { useEffect } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { SourceRootView, SourcesView } from '../../shared/model/settings/source-roots'
import { useSources, useStores } from '../state/context'
import { Button } from '../ui/controls/Button'
import { fixedRootsText, rootTotalText } from '../ui/format/root-labels'
import { FailureNote } from '../ui/notes/FailureNote'
import { LiveRegion } from '../ui/notes/LiveRegion'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { PathText } from '../ui/text/PathText'
import { FoundRow } from './FoundRow'

/**
 * List of the histories of other systems on this machine, by the names, sizes and times of their files: nothing of them is
 * read before the library opens.
 */
export function FoundHistories() {
  const { sources } = useStores()
  const view = useSources((state) => state.view)
  const failure = useSources((state) => state.failure)
  const refusal = useSources((state) => state.refusal)
  useEffect(() => void sources.getState().load(), [sources])
  const total = view === undefined || isCounting(view) ? undefined : totalOf(view)
  const isAny = view !== undefined && foundIn(view.roots).length > 0
  return (
    <section className="first-run-found" aria-label="Found on this machine">
      <div className="row-x first-run-head">
        <h2 className="strong">Found on this machine</h2>
        {isAny && <span className="t3 small number">{total}</span>}
      </div>
      {failure !== undefined && (
        <FailureNote
          title="Sources could not be loaded."
          failure={failure}
          onAgain={() => void sources.getState().load()}
        />
      )}
      {view !== undefined && <FoundList view={view} />}
      <RefusalNote title="Nothing was changed." refusal={refusal} />
      {view?.from === 'settings' && <AddHistories />}
      {view !== undefined && <LookedAt roots={view.roots} isAnyFound={isAny} />}
      <p className="t3 small first-run-after">
        Only names, sizes and dates were looked at. What is on is read when the library opens, and
        never changed. Turn sources off at any time in Settings, Sources.
      </p>
      <LiveRegion label="Found on this machine">{total}</LiveRegion>
    </section>
  )
}

function FoundList({ view }: { readonly view: SourcesView }) {
  const { sources } = useStores()
  const found = foundIn(view.roots)
  const fixed = fixedRootsText(view.from)
  return (
    <>
      <div className="first-run-list">
        {found.map((root) => (
          <FoundRow
            key={`${root.source}\0${root.path}`}
            root={root}
            isOfImports={isOfImports(root, view.roots)}
            onTurn={(isOn) => void sources.getState().turn(root, isOn)}
            onBackUp={
              view.from === 'settings'
                ? (isOn) => void sources.getState().backUp(root, isOn)
                : undefined
            }
          />
        ))}
        {isCounting(view) && <div className="first-run-line t2">Looking for histories…</div>}
        {found.length === 0 && !isCounting(view) && (
          <div className="found-none">
            <b>No histories of other programs.</b>
            <p className="t2 small">
              They appear by themselves once there are some. A folder elsewhere can be added, and an
              export of ChatGPT, Claude.ai or Skein imported: by the buttons below, or by dropping
              it here.
            </p>
          </div>
        )}
      </div>
      {fixed !== undefined && <Note tone="info">{fixed}</Note>}
    </>
  )
}

/** The places in which nothing was found; open where nothing was found at all. */
function LookedAt(props: {
  readonly roots: readonly SourceRootView[]
  readonly isAnyFound: boolean
}) {
  const { roots, isAnyFound } = props
  const places = roots.filter((root) => !isFound(root) && !isOfImports(root, roots))
  if (places.length === 0) return null
  return (
    <details className="found-looked small" open={!isAnyFound}>
      <summary>{isAnyFound ? 'Where else Skein looked' : 'Where Skein looked'}</summary>
      <ul>
        {places.map(({ source, path, label, shown }) => (
          <li key={`${source}\0${path}`}>
            <span className="t2">{label}</span>
            <PathText path={visibleText(shown)} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function AddHistories() {
  const { app, sources } = useStores()
  /** Settings show what becomes of it. */
  const inSettings = (act: () => Promise<void>) => {
    app.getState().openSettings('sources')
    void act()
  }
  return (
    <div className="row-x first-run-after">
      <Button
        isSmall
        icon={FolderPlus}
        onClick={() => inSettings(() => sources.getState().add('folder'))}
      >
        Add a folder…
      </Button>
      <Button
        isSmall
        icon={FileInput}
        onClick={() => inSettings(() => sources.getState().import())}
      >
        Import an export…
      </Button>
    </div>
  )
}

function isCounting({ roots }: SourcesView): boolean {
  return roots.some(
    ({ state }) =>
      state.type === 'waiting' && state.counted === undefined && state.isThere !== true,
  )
}

/** Whether a root has files of its system, as far as their names tell, or was added by a person. */
function isFound({ origin, state }: SourceRootView): boolean {
  if (state.type === 'unreadable') return true
  if (state.type === 'off') return state.counted === undefined || state.counted.counts.length > 0
  if (state.type !== 'waiting') return origin !== 'default'
  return origin !== 'default' || state.isThere === true || (state.counted?.counts.length ?? 0) > 0
}

/** The roots in which something was found; the folder of imported exports once. */
function foundIn(roots: readonly SourceRootView[]): readonly SourceRootView[] {
  // A system that has databases too counts no exports there.
  const imports = roots.find((root) => isOfImports(root, roots) && isFound(root))
  return roots.filter((root) => isFound(root) && (root.path !== imports?.path || root === imports))
}

/** Whether a root is the folder of imported exports, which is the only one that several systems share. */
function isOfImports({ path, source }: SourceRootView, roots: readonly SourceRootView[]): boolean {
  return roots.some((other) => other.path === path && other.source !== source)
}

function totalOf({ roots }: SourcesView): string {
  return rootTotalText(roots.map(({ state }) => state))
}
