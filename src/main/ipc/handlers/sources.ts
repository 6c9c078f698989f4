import type { Contract } from '../../../shared/ipc/contract'
import type { Handlers } from '../../../shared/ipc/wire/primitives'
import type {
  AddAnswer,
  DroppedPaths,
  ImportAnswer,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import type { CurrentHome } from '../current/current-home'

/** The roots of other systems, as Settings show and change them. A change holds when it resolves. */
export interface Sources {
  view(): Promise<SourcesView>
  /** Scans the roots that were not scanned yet, with `again` all of them; resolves when it has ended. Those that are off are counted. */
  look(again: boolean): Promise<SourcesView>
  /** Ends looking; what was found stays. */
  stop(): Promise<SourcesView>
  /** Asks for a folder or a file, and adds it where its source is plain. @throws AppError `exists`, `read-only`, `disk-full`, `io` */
  add(kind: 'folder' | 'file'): Promise<AddAnswer>
  /** Adds what was picked last. @throws AppError as `add`, and `bad-argument` for anything else */
  addAs(root: SourceRoot): Promise<SourcesView>
  /** Asks for an export and imports it. @throws AppError as `importExport`, and `read-only` */
  import(): Promise<ImportAnswer>
  /** Asks whether files are imported, by their paths, and imports them. @throws AppError as `import`, and `denied`, `busy` */
  importDropped(files: DroppedPaths): Promise<ImportAnswer>
  /** Whether files wait that a person opened Skein with. */
  isOpenedWith(): Promise<boolean>
  /** Takes these in, and shows the one conversation in them. @throws AppError as `import` */
  importOpened(): Promise<ImportAnswer>
  stopImport(): Promise<SourcesView>
  /** @throws AppError `not-found`, `read-only`, `disk-full`, `io` */
  remove(root: SourceRoot): Promise<SourcesView>
  /** @throws AppError `not-found`, `read-only`, `disk-full`, `io` */
  turn(root: SourceRoot, isOn: boolean): Promise<SourcesView>
  /** Resolves when all was copied, or the view has why not. @throws AppError `not-found`, `read-only`, `bad-argument`, `disk-full`, `io` */
  backUp(root: SourceRoot, isOn: boolean): Promise<SourcesView>
  /** @throws AppError `not-found`, `read-only`, `denied`, `busy`, `io` */
  deleteBackup(root: SourceRoot): Promise<SourcesView>
}

/** Serves the calls of `sourcesContract`. */
export function sourcesHandlers(
  sources: Sources,
  home: CurrentHome<'library'>,
): Handlers<Contract['sources']> {
  return {
    drift: async () => [...(await home().library.drift())],
    get: () => sources.view(),
    look: ({ again }) => sources.look(again),
    stop: () => sources.stop(),
    add: ({ kind }) => sources.add(kind),
    addAs: (root) => sources.addAs(root),
    import: () => sources.import(),
    importDropped: (files) => sources.importDropped(files),
    isOpenedWith: () => sources.isOpenedWith(),
    importOpened: () => sources.importOpened(),
    stopImport: () => sources.stopImport(),
    remove: (root) => sources.remove(root),
    turn: ({ isOn, ...root }) => sources.turn(root, isOn),
    backUp: ({ isOn, ...root }) => sources.backUp(root, isOn),
    deleteBackup: (root) => sources.deleteBackup(root),
  }
}
