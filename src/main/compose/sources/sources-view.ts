import { sourceLabel } from '../../../shared/model/conversation/sources'
import type {
  ImportingView,
  RootBackup,
  RootState,
  RootsFrom,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import { shownPath } from '../../disk/interface/shown-path'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { countedState, type RootCounts } from './root-counts'
import type { WindowRoot } from './window-roots'

/** State from which a view of the sources is made. */
export interface ViewedSources {
  readonly from: RootsFrom
  readonly roots: readonly WindowRoot[]
  readonly readers: readonly History['reader'][]
  /** A home is open: before that nothing of the roots is read, and their files are counted. */
  readonly isRead: boolean
  stateOf(root: LibraryRoot): RootState
  countOf: RootCounts['of']
  backupOf(root: LibraryRoot): RootBackup | null
  /** Files that were seen by a scan that goes on. */
  readonly files: number | undefined
  readonly importing: ImportingView | null
  readonly faults: readonly string[]
}

/** Makes the view of the sources as Settings show it. */
export function sourcesView(of: ViewedSources): SourcesView {
  return {
    from: of.from,
    roots: of.roots.map(({ source, path: root, origin, isOn }) => ({
      source,
      path: root,
      label: sourceLabel(source),
      shown: shownPath(root),
      origin,
      state:
        isOn && of.isRead
          ? of.stateOf({ source, path: root })
          : countedState(of.countOf({ source, path: root }), { isOn, origin }),
      backup: isOn ? of.backupOf({ source, path: root }) : null,
    })),
    systems: of.readers.map(({ id }) => ({ source: id, label: sourceLabel(id) })),
    looking: of.files === undefined ? null : { files: of.files },
    importing: of.importing,
    faults: [...of.faults],
  }
}
