import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type SourceId, sourceLabel } from '../../../shared/model/conversation/sources'
import type {
  AddAnswer,
  DroppedPaths,
  ImportAnswer,
  RootsFrom,
  SourceRoot,
  SourcesView,
} from '../../../shared/model/settings/source-roots'
import { Mutex } from '../../async/mutex'
import { shownPath } from '../../disk/interface/shown-path'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { isSameRoot, type SourcesChange } from '../../settings/stored/settings-file'
import { type Detection, openDetection } from './detect-source'
import { type Imports, openImports } from './imports'
import { countedState, openRootCounts, type RootCounts } from './root-counts'
import { openRootScans, type RootScans, walkRoot } from './root-scans'
import type { SourcesDeps, SourcesSession } from './sources-session'
import { type WindowRoot, windowRoots } from './window-roots'

const toldEveryMs = 100

/** Opens the sources of the app window. */
export function openSources(deps: SourcesDeps): SourcesSession {
  return new Session(deps)
}

class Session implements SourcesSession {
  readonly readers: readonly History['reader'][]
  private readonly deps: SourcesDeps
  private readonly plainReaders: readonly History['reader'][]
  private readonly looks: RootScans
  private readonly counts: RootCounts
  private readonly detection: Detection
  private readonly imports: Imports
  private from: RootsFrom = 'settings'
  /** A home is open: before that nothing of the roots is read. */
  private isRead = false
  private rootsChanged: (roots: readonly LibraryRoot[]) => void = () => undefined
  private roots: readonly WindowRoot[] = []
  private faults: readonly string[] = []
  /** Path that was picked and waits for its source. */
  private picked: string | undefined
  private looking: Promise<void> | undefined
  /** One change after the other: each begins with the roots that the one before has left. */
  private readonly changes = new Mutex()
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(deps: SourcesDeps) {
    this.deps = deps
    this.plainReaders = deps.readers.filter(({ id }) => id !== 'chibi')
    this.looks = openRootScans(() => this.tellSoon())
    this.counts = openRootCounts(deps.disk, this.plainReaders, () => this.tellSoon())
    this.detection = openDetection(deps.disk, this.plainReaders, () => this.tellSoon())
    const { disk, readers, imports } = deps
    this.imports = openImports({ disk, readers, ...imports }, () => this.tellSoon())
    this.readers = this.plainReaders.map((reader) => this.looks.over(reader))
  }

  async enter(
    from: RootsFrom,
    isRead: boolean,
    changed: (roots: readonly LibraryRoot[]) => void,
  ): Promise<readonly LibraryRoot[]> {
    this.from = from
    this.isRead = isRead
    this.rootsChanged = changed
    this.picked = undefined
    await this.readRoots()
    return this.onRoots()
  }

  async view(): Promise<SourcesView> {
    return this.now()
  }

  async look(again: boolean): Promise<SourcesView> {
    const counting = this.counts.count(this.roots.filter(({ isOn }) => !isOn || !this.isRead))
    if (!this.isRead) {
      await counting
      return this.now()
    }
    if (again) {
      this.looks.again()
      // It may have passed by what is to be scanned again.
      await this.looking
    }
    this.looking ??= this.lookAtAll().finally(() => {
      this.looking = undefined
    })
    await Promise.all([this.looking, counting])
    return this.now()
  }

  async stop(): Promise<SourcesView> {
    this.detection.stop()
    this.counts.stop()
    this.looks.stop()
    return this.now()
  }

  async add(kind: 'folder' | 'file'): Promise<AddAnswer> {
    this.assertEditable()
    const answer = await this.deps.ask(kind)
    if (answer === undefined) return { type: 'cancelled' }
    const file = path.resolve(answer)
    const { found, isWhole } = await this.detection.detect(file)
    const [source, ...others] = found
    if (source !== undefined && others.length === 0 && isWhole) {
      const root = { source, path: file }
      return { type: 'added', root, view: await this.put(root) }
    }
    this.picked = file
    return { type: 'choose', path: file, shown: shownPath(file), found }
  }

  async addAs(root: SourceRoot): Promise<SourcesView> {
    // The page names no path of its own: only what a person has picked in the system's dialog is read.
    if (root.path !== this.picked || !this.plainReaders.some(({ id }) => id === root.source))
      throw new AppError('bad-argument', 'That folder or file was not picked.')
    const view = await this.put(root)
    this.picked = undefined
    return view
  }

  async import(): Promise<ImportAnswer> {
    this.assertEditable()
    const file = await this.deps.askForExport()
    return file === undefined ? { type: 'cancelled' } : this.importAll([path.resolve(file)])
  }

  async importDropped(files: DroppedPaths): Promise<ImportAnswer> {
    this.assertEditable()
    if (!files.every((file) => path.isAbsolute(file)))
      throw new AppError('bad-argument', 'Those are no files on this computer.')
    await this.deps.allowImport(files)
    return this.importAll(files)
  }

  async stopImport(): Promise<SourcesView> {
    this.imports.stop()
    return this.now()
  }

  remove(root: SourceRoot): Promise<SourcesView> {
    return this.change(() => {
      this.known(root, 'added')
      return { list: 'added', root, isIn: false }
    })
  }

  turn(root: SourceRoot, isOn: boolean): Promise<SourcesView> {
    return this.change(() => {
      this.known(root, 'default')
      return { list: 'off', root, isIn: !isOn }
    })
  }

  isPartial(source: SourceId): boolean {
    return this.looks.isPartial(source)
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
    this.detection.stop()
    this.counts.stop()
    this.imports.stop()
  }

  private async importAll(files: readonly string[]): Promise<ImportAnswer> {
    const imported = await this.imports.run(files)
    if (imported === undefined) return { type: 'stopped', view: this.now() }
    for (const source of new Set(imported.flatMap(({ sources }) => sources))) {
      const root = { source, path: this.deps.imports.folder }
      this.looks.forget(root)
      if (!this.roots.some((one) => one.isOn && isSameRoot(one, root))) await this.put(root)
    }
    this.rootsChanged(this.onRoots())
    const items = imported.map(({ name, sources, isNew, unread }) => ({
      name,
      sources: [...sources],
      isNew,
      ...(unread === undefined ? {} : { unread }),
    }))
    return { type: 'imported', items, view: this.now() }
  }

  private put(root: SourceRoot): Promise<SourcesView> {
    return this.change(() => {
      const known = this.roots.find((one) => isSameRoot(one, root))
      if (known?.isOn === true)
        throw new AppError('exists', `${shownPath(root.path)} is read already.`)
      return known === undefined
        ? { list: 'added', root, isIn: true }
        : { list: 'off', root, isIn: false }
    })
  }

  private change(decide: () => SourcesChange): Promise<SourcesView> {
    return this.changes.run(async () => {
      this.assertEditable()
      await this.deps.settings.change({ sources: decide() })
      await this.readRoots()
      this.rootsChanged(this.onRoots())
      const view = this.now()
      this.tell()
      return view
    })
  }

  private async readRoots(): Promise<void> {
    const { stored, faults } = await this.deps.settings.read()
    const { given, environment } = this.deps
    this.roots = windowRoots(
      this.from,
      given,
      stored.sources ?? { off: [], added: [], backedUp: [] },
      environment,
      this.deps.imports.folder,
    )
    this.faults = faults
      .filter(({ key }) => key === undefined || key.startsWith('sources'))
      .map(({ message }) => message)
    this.looks.open(this.onRoots())
  }

  private onRoots(): readonly LibraryRoot[] {
    return this.roots.filter(({ isOn }) => isOn).map(({ source, path }) => ({ source, path }))
  }

  private async lookAtAll(): Promise<void> {
    const visited: LibraryRoot[] = []
    for (;;) {
      // Asked each time: one may have been added meanwhile.
      const root = this.onRoots().find((one) => !visited.some((known) => isSameRoot(known, one)))
      if (root === undefined) return
      visited.push(root)
      await this.lookAt(root)
    }
  }

  private async lookAt(root: LibraryRoot): Promise<void> {
    // One that cannot be read is listed all the same: its reader says why.
    const stat = await this.deps.disk.stat(root.path).catch(() => null)
    if (stat === undefined) return this.looks.setMissing(root)
    await this.looks.quiet(root)
    if (this.looks.isSettled(root) && this.looks.state(root).type !== 'missing') return
    await walkRoot(this.readers, root, this.deps.disk)
  }

  private known(root: SourceRoot, origin: WindowRoot['origin']): void {
    if (!this.roots.some((one) => one.origin === origin && isSameRoot(one, root)))
      throw new AppError('not-found', `${shownPath(root.path)} is not in the list any more.`)
  }

  private assertEditable(): void {
    if (this.from !== 'settings')
      throw new AppError('read-only', 'What is read was said when Skein was started.')
  }

  private now(): SourcesView {
    const files = this.detection.files ?? this.looks.files
    return {
      from: this.from,
      roots: this.roots.map(({ source, path: root, origin, isOn }) => ({
        source,
        path: root,
        label: sourceLabel(source),
        shown: shownPath(root),
        origin,
        state:
          isOn && this.isRead
            ? this.looks.state({ source, path: root })
            : countedState(this.counts.of({ source, path: root }), { isOn, origin }),
      })),
      systems: this.readers.map(({ id }) => ({ source: id, label: sourceLabel(id) })),
      looking: files === undefined ? null : { files },
      importing: this.imports.now,
      faults: [...this.faults],
    }
  }

  private tellSoon(): void {
    if (this.isClosed) return
    this.timer ??= setTimeout(() => this.tell(), toldEveryMs)
  }

  private tell(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.isClosed) this.deps.changed(this.now())
  }
}
